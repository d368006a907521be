/** Calls into the page's own code: what it throws is reported where developers look, and changes nothing here. */

/** Shows an error of the page's code in the console (and in `window.onerror`), without breaking anything. */
function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}

/** Calls a function of the page's. */
export function callSafely(call: () => unknown): void {
  try {
    const result = call()
    // An async callback's failure is the page's too, not an unhandled rejection of ours.
    if (result instanceof Promise) result.catch(report)
  } catch (error) {
    report(error)
  }
}

/** A set of listeners. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => unknown>()

  get size(): number {
    return this.#all.size
  }

  /** Returns its undo. */
  add(listener: (value: T) => unknown): () => void {
    // A wrapper of its own, so that the same function added twice is two listeners with two undos.
    const own = (value: T): unknown => listener(value)
    this.#all.add(own)
    return () => {
      this.#all.delete(own)
    }
  }

  /** A listener that was removed by another one during the same round isn't called any more. */
  emit(value: T): void {
    for (const listener of [...this.#all]) if (this.#all.has(listener)) callSafely(() => listener(value))
  }
}
