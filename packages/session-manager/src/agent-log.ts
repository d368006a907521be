/** Lines an AI writes for debugging, on their way to `log` events: cut and counted, so that they never fill memory. */

/** Longest line that is passed on, in characters. */
const MAX_LINE_CHARS = 4_000

export class AgentLog {
  #chars = 0
  #full = false

  /** @param maxChars for one turn */
  constructor(
    private readonly maxChars: number,
    private readonly pass: (line: string) => void,
  ) {}

  /** A new turn: counting begins again. */
  reset(): void {
    this.#chars = 0
    this.#full = false
  }

  add(line: string): void {
    if (this.#full) return
    const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line
    this.#chars += cut.length
    this.#full = this.#chars > this.maxChars
    this.pass(this.#full ? '(More lines follow; they are left out until the next turn.)' : cut)
  }
}
