/**
 * Tells reasoning from the answer where a model writes it into its text as `<think>…</think>`, tags cut anywhere.
 * Only at the beginning of an answer, or right after another such block: further on, a tag is text about tags.
 */

/** The names that models use. */
const OPENING = ['<think>', '<thinking>', '<thought>', '<reasoning>'] as const

export interface SplitText {
  text: string
  thought: string
}

const NOTHING: SplitText = { text: '', thought: '' }

export class ThinkTags {
  #state: 'start' | 'thinking' | 'text' = 'start'
  #held = ''
  #closing = ''
  /** A block was closed: white space before the answer belongs to neither. */
  #closed = false

  push(piece: string): SplitText {
    if (this.#state === 'text') return { text: piece, thought: '' }
    this.#held += piece
    return this.#state === 'start' ? this.#begin() : this.#think()
  }

  /** The answer is over: what was held back belongs to what it would have been. */
  end(): SplitText {
    const held = this.#held
    this.#held = ''
    if (this.#state === 'thinking') return { text: '', thought: held }
    return this.#closed && held.trim() === '' ? NOTHING : { text: held, thought: '' }
  }

  #begin(): SplitText {
    const text = this.#held.trimStart()
    const tag = OPENING.find((candidate) => text.startsWith(candidate))
    if (tag !== undefined) {
      this.#state = 'thinking'
      this.#closing = tag.replace('<', '</')
      this.#held = text.slice(tag.length)
      return this.#think()
    }
    if (OPENING.some((candidate) => candidate.startsWith(text))) return NOTHING
    this.#state = 'text'
    const all = this.#closed ? text : this.#held
    this.#held = ''
    return { text: all, thought: '' }
  }

  #think(): SplitText {
    const end = this.#held.indexOf(this.#closing)
    if (end === -1) {
      const keep = overlap(this.#held, this.#closing)
      const thought = this.#held.slice(0, this.#held.length - keep)
      this.#held = this.#held.slice(thought.length)
      return { text: '', thought }
    }
    const thought = this.#held.slice(0, end)
    this.#held = this.#held.slice(end + this.#closing.length)
    this.#state = 'start'
    this.#closed = true
    const rest = this.#begin()
    return { text: rest.text, thought: thought + rest.thought }
  }
}

/** Length of the longest end of `text` that begins `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
