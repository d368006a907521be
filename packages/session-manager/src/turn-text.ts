/** The text of one turn, put together once at its end: adding a piece costs the same however long the text is. */

/** Pieces joined at a time: keeps small strings from piling up by the ten thousand. */
const PIECES_PER_BLOCK = 1_024

export class TurnText {
  readonly #blocks: string[] = []
  #pieces: string[] = []
  #length = 0

  /** In characters. */
  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    this.#length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length < PIECES_PER_BLOCK) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  toString(): string {
    return this.#blocks.join('') + this.#pieces.join('')
  }
}
