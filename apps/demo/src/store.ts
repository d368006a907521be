/** A value that can be watched. Listeners hear each change once, with the new value. */

export interface Store<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly update: (change: (value: T) => T) => void
  /** Returns its undo. */
  readonly subscribe: (listener: (value: T) => void) => () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<(value: T) => void>()
  const set = (next: T): void => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of [...listeners]) listener(value)
  }
  return {
    get: () => value,
    set,
    update: (change) => {
      set(change(value))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
