/**
 * Watches for tools with effects outside the page that run all the same (Security considerations): an agent that does so
 * isn't in its box. Says so once; what follows is the session's business.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { KnownCall } from './tool-call-book.js'
import type { ToolIdentity } from './tool-identity.js'

export interface OutsideWatchOptions {
  clock: Clock
  /** A call that runs and didn't ask may still ask within this. */
  askMs: number
  /** `name`: as the agent names it, or its kind. */
  ran: (name: string) => void
}

export class OutsideWatch {
  readonly #options: OutsideWatchOptions
  readonly #timers = new Map<string, CancelTimer>()

  constructor(options: OutsideWatchOptions) {
    this.#options = options
  }

  /**
   * Call with each change of a call. Completed: it ran. In progress: it runs, unless it is waiting for an answer, as some
   * agents report it, or was refused. Failed: agents report refused and unknown tools so; after running it counts.
   */
  look(call: KnownCall, identity: ToolIdentity): void {
    if (identity.kind !== 'outside') {
      this.#stop(call.id)
      return
    }
    const { status } = call
    const waits = this.#timers.has(call.id)
    if (status === 'completed' || (status === 'failed' && waits && call.permission === 'never_asked')) {
      this.#stop(call.id)
      this.#options.ran(identity.name)
    } else if (status === 'failed' || call.permission === 'refused') this.#stop(call.id)
    else if (status === 'in_progress' && !waits) this.#wait(call, identity.name)
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #wait(call: KnownCall, name: string): void {
    const { clock, askMs, ran } = this.#options
    const cancel = clock.setTimer(askMs, () => {
      this.#timers.delete(call.id)
      if (call.permission === 'never_asked' && !call.over) ran(name)
    })
    this.#timers.set(call.id, cancel)
  }

  #stop(id: string): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
  }
}
