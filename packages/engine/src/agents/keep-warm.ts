/**
 * When the default AI has a program standing ready: from the engine's start and from each use on, until it has not been
 * used for a while. Starts and ends nothing itself.
 */
import type { CancelTimer, Clock } from '@leuria/clock'

export interface KeepWarmOptions {
  clock: Clock
  /** The agent that is to stand ready, from memory. `null`: the default AI is none, or the visitor wants it not. */
  wanted: () => string | null
  /** Has one program of this agent stand ready, and of no other. Never rejects. */
  keepWarm: (id: string | null) => Promise<void>
}

/** A program that waits holds 75 to 400 MB: a visitor who has left for a coffee still finds it, one who has gone doesn't pay. */
const IDLE_MS = 15 * 60_000
/** How often it is looked whether it is still the agent, in the version, that a session would get. */
const LOOK_MS = 60_000

export interface WarmKeeper {
  start(): void
  /** A session with the default AI was prepared, or does something. */
  used(): void
  /** What is wanted may be something else now. */
  changed(): void
  /** Looks no more; whoever ends the agents ends what stands ready. Idempotent. */
  close(): void
}

export function warmKeeper({ clock, wanted, keepWarm }: KeepWarmOptions): WarmKeeper {
  let usedAt = clock.now()
  let kept: string | null = null
  let state: 'new' | 'running' | 'closed' = 'new'
  let cancel: CancelTimer | null = null

  const look = (): void => {
    cancel?.()
    cancel = null
    if (state !== 'running') return
    const id = clock.now() - usedAt < IDLE_MS ? wanted() : null
    if (id !== null || kept !== null) void keepWarm(id)
    kept = id
    if (id !== null) cancel = clock.setTimer(LOOK_MS, look)
  }
  const useNow = (): void => {
    usedAt = clock.now()
    look()
  }
  return {
    start() {
      if (state === 'new') state = 'running'
      useNow()
    },
    used() {
      if (kept === null) useNow()
      else usedAt = clock.now()
    },
    changed: useNow,
    close() {
      state = 'closed'
      look()
    },
  }
}
