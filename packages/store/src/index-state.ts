/** Where an index stands, as an immutable snapshot. Shapes only. */

/** `waiting`: nobody is there who could embed. */
export type IndexStatus = 'waiting' | 'indexing' | 'ready' | 'error'

export interface IndexState {
  readonly status: IndexStatus
  /** The model of the vectors. `null`: not known yet. */
  readonly model: string | null
  /** Documents that have a vector, of `total`. Blank ones don't count. */
  readonly done: number
  readonly total: number
  /** With `error`. */
  readonly error: Error | null
}
