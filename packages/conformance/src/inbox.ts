/** What arrived on a connection, in order, and waiting for more of it with a deadline. */
import { ClauseBroken } from './report/observe.js'

export class Inbox<Item> {
  readonly items: Item[] = []
  /** Nothing more comes. */
  closed = false
  readonly #waiting = new Set<() => void>()

  push(item: Item): void {
    this.items.push(item)
    this.#wake()
  }

  close(): void {
    this.closed = true
    this.#wake()
  }

  /** Waits until it is closed. @throws ClauseBroken after `limitMs` */
  async end(limitMs: number, what: string): Promise<void> {
    await this.#until(
      () => (this.closed ? true : undefined),
      limitMs,
      () => `${what} did not end within ${limitMs} ms`,
    )
  }

  /** The first item from index `from` on that fits. @throws ClauseBroken after `limitMs`, or once nothing more comes */
  async find(
    fits: (item: Item) => boolean,
    { limitMs, what, from = 0 }: { limitMs: number; what: string; from?: number },
  ): Promise<Item> {
    const found = await this.#until(
      () => {
        const item = this.items.slice(from).find(fits)
        if (item !== undefined) return { item }
        return this.closed ? null : undefined
      },
      limitMs,
      () => `${what} did not come within ${limitMs} ms`,
    )
    if (found === null) throw new ClauseBroken(`${what} did not come before the connection ended`)
    return found.item
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  #until<Value>(look: () => Value | undefined, limitMs: number, late: () => string): Promise<Value> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const value = look()
        if (value === undefined) return
        stop()
        resolve(value)
      }
      const timer = setTimeout(() => {
        stop()
        reject(new ClauseBroken(late()))
      }, limitMs)
      const stop = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(check)
      }
      this.#waiting.add(check)
      check()
    })
  }
}
