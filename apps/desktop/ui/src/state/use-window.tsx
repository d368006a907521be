/** The store for components: the snapshot's parts, and actions with their progress and failure. */
import { createContext, type ReactNode, useCallback, useContext, useRef, useState, useSyncExternalStore } from 'react'
import type { WindowState } from './window-state.js'
import type { WindowStore } from './window-store.js'

const Store = createContext<WindowStore | null>(null)

export function StoreProvider({ store, children }: { store: WindowStore; children: ReactNode }) {
  return <Store value={store}>{children}</Store>
}

export function useStore(): WindowStore {
  const store = useContext(Store)
  if (store === null) throw new Error('useStore needs a StoreProvider')
  return store
}

/** A part of the snapshot; the component renders again only when this part is another one. */
export function useWindow<Part>(select: (state: WindowState) => Part): Part {
  const store = useStore()
  const read = useCallback(() => select(store.getState()), [store, select])
  return useSyncExternalStore(store.subscribe, read)
}

export interface Action {
  /** Runs the work; a second call while it runs does nothing. Resolves with whether it worked. */
  run: (work: () => Promise<unknown>) => Promise<boolean>
  isRunning: boolean
  /** Why the last one failed, in words for people. */
  error: string | null
}

/** Something the visitor does: whether it is under way, and what went wrong. */
export function useAction(): Action {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const running = useRef(false)
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setRunning(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'That did not work.')
      return false
    } finally {
      running.current = false
      setRunning(false)
    }
  }, [])
  return { run, isRunning, error }
}
