/** A part of a store's snapshot that changes only when that part did; safe while React renders concurrently and on a server. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'

export interface Store<State> {
  /** The same object until something changed. */
  getState(): State
  /** Returns its undo. */
  subscribe(listener: () => void): () => void
}

export interface SnapshotOptions<State, Part> {
  /** May make a new object or list each time: what holds the same as before counts as unchanged. */
  readonly select: (state: State) => Part
  /** What a server renders, and a page until it is hydrated: it must not depend on the visitor. @default the store's own */
  readonly onServer?: (state: State) => State
}

/** Selects from `read()`, again only if it gives something new. */
function selector<State, Part>(read: () => State, select: (state: State) => Part): () => Part {
  let last: { readonly state: State; readonly part: Part } | undefined
  return () => {
    const state = read()
    if (last !== undefined && Object.is(last.state, state)) return last.part
    const part = select(state)
    last = { state, part: last !== undefined && holdsSame(last.part, part) ? last.part : part }
    return last.part
  }
}

function holdsSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const [before, now] = [Object.entries(one), Object.entries(other)]
  return (
    before.length === now.length &&
    now.every(([key, value]) => Object.hasOwn(one, key) && Object.is(Reflect.get(one, key), value))
  )
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}

export function useSnapshot<State, Part>(store: Store<State>, options: SnapshotOptions<State, Part>): Part {
  const { select, onServer } = options
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  const now = useMemo(() => selector(() => store.getState(), select), [store, select])
  const onceOnServer = useMemo(() => {
    let state: State | undefined
    // One and the same for the whole time of hydration.
    return selector(() => (state ??= onServer?.(store.getState()) ?? store.getState()), select)
  }, [store, select, onServer])
  return useSyncExternalStore(subscribe, now, onceOnServer)
}
