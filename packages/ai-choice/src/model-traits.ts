/** What the rules look at in a model. Services say more; whatever has these members can be chosen and judged. */

export interface ModelTraits {
  /** The id its service knows it by. */
  readonly id: string
  /** What people call it. @default the end of its id */
  readonly name?: string
  /** @default 'chat' */
  readonly type?: 'chat' | 'embedding'
  /** False: it runs on someone else's computer. @default true */
  readonly local?: boolean
  /** In memory, ready to answer at once. */
  readonly loaded?: boolean
  /** Absent: not known. */
  readonly tools?: boolean
  /** Absent: not known. */
  readonly images?: boolean
  readonly contextTokens?: number
  /** Billions of parameters. */
  readonly billions?: number
  readonly description?: string
}
