/** Leaves an agent's output in its pipe while someone has too much of it already; any number of holders. */
export class ReadGate {
  readonly #holders = new Set<object>()
  #waiting: (() => void)[] = []
  #forGood = false

  /** Nothing more is read until `holder` lets go. */
  hold(holder: object): void {
    if (!this.#forGood) this.#holders.add(holder)
  }

  letGo(holder: object): void {
    this.#holders.delete(holder)
    if (this.#holders.size > 0) return
    for (const pass of this.#waiting.splice(0)) pass()
  }

  /** The program is gone: what is still in its pipe is little, and wanted. */
  openForGood(): void {
    this.#forGood = true
    for (const holder of [...this.#holders]) this.letGo(holder)
  }

  get held(): boolean {
    return this.#holders.size > 0
  }

  /** Resolves when everybody has let go. Only while it is held. */
  passed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
