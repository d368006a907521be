/**
 * Whether a JSON object that comes in pieces has come to its end, told from its brackets as they pass. Each character is
 * looked at once: to parse the whole text again at each piece would take hours on an answer made for it.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Tab, line ends and the space are the characters up to here that JSON has between its parts. */
const LAST_SPACE = 0x20

export class JsonBalance {
  #depth = 0
  #inText = false
  #escaped = false
  #begun = false
  /** Something came that can't belong to one object. */
  #broken = false

  /** One object has begun and ended, and nothing but white space has come since. */
  get complete(): boolean {
    return this.#begun && this.#depth === 0 && !this.#broken
  }

  /** Takes the next piece. */
  take(piece: string): void {
    for (let at = 0; at < piece.length && !this.#broken; at += 1) this.#read(piece.charCodeAt(at))
  }

  #read(code: number): void {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false
      else if (code === BACKSLASH) this.#escaped = true
      else this.#inText = code !== QUOTE
      return
    }
    if (code <= LAST_SPACE) return
    // `[` and `]` differ from `{` and `}` by one bit.
    const bracket = code | 0x20
    if (this.#depth === 0) {
      this.#broken = this.#begun || code !== 0x7b
      this.#begun = true
    }
    if (bracket === 0x7b) this.#depth += 1
    else if (bracket === 0x7d) this.#depth -= 1
    else this.#inText = code === QUOTE
  }
}
