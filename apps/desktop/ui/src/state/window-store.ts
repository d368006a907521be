/** Holds the snapshot: applies what the feed tells, and reads what it makes stale. Components subscribe to it. */
import type { AdminEvent } from '@leuria/protocol'
import type { AdminClient } from '../engine/admin-client.js'
import { followFeed } from '../engine/feed.js'
import { applyRead } from './apply-read.js'
import { READ } from './read-parts.js'
import { applyEvent, NOTHING_YET, type Part, STALE, type WindowState } from './window-state.js'

export interface WindowStore {
  readonly client: AdminClient
  getState: () => WindowState
  /** Returns its undo. */
  subscribe: (listener: () => void) => () => void
  /** Takes something away that was seen: a sign-in address, progress that is over. */
  clear: (part: 'signInUrl' | 'progress' | 'warnings') => void
  /** Reads parts now; resolves when they are here, or could not be read. */
  reload: (...parts: Part[]) => Promise<void>
  stop: () => void
}

export function createWindowStore(client: AdminClient): WindowStore {
  let state = NOTHING_YET
  const stopping = new AbortController()
  const listeners = new Set<() => void>()
  /** Parts that are being read; `true`: once more afterwards, since something changed meanwhile. */
  const reading = new Map<Part, boolean>()
  /** What came while anything is being read. */
  let told: AdminEvent[] = []

  const set = (next: WindowState): void => {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }
  const read = async (part: Part): Promise<void> => {
    if (reading.has(part)) {
      reading.set(part, true)
      return
    }
    reading.set(part, false)
    const asked = told.length
    try {
      const found = await READ[part](client)
      set(applyRead(state, { part, found, told: told.slice(asked) }))
    } catch {
      // The feed tells when the engine is back; then everything is read anew.
    }
    const isStale = reading.get(part) === true
    reading.delete(part)
    if (reading.size === 0) told = []
    if (isStale && !stopping.signal.aborted) await read(part)
  }
  const reload = async (...parts: Part[]): Promise<void> => {
    await Promise.all(parts.map(read))
  }
  const onEvent = (event: AdminEvent): void => {
    set(applyEvent(state, event))
    if (reading.size > 0) told.push(event)
    void reload(...STALE[event.event])
  }
  void followFeed({
    client,
    onEvent,
    onConnected: (isConnected) => {
      if (isConnected !== state.isConnected) set({ ...state, isConnected })
    },
    signal: stopping.signal,
  })
  return {
    client,
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clear: (part) => {
      set({ ...state, [part]: part === 'warnings' ? [] : null })
    },
    reload,
    stop: () => {
      stopping.abort()
    },
  }
}
