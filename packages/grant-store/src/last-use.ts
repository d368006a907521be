/** Remembers which tokens were used and has it written down now and then, never while a request waits. */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { Origin } from '@leuria/protocol'
import type { TokenUse } from './grant-edit.js'

/** At most one write in this time, for all origins together. */
export const LAST_USE_INTERVAL_MS = 60_000
/** After a quiet time the first use is written this much later: not on the request's path, and a few come together. */
export const LAST_USE_DELAY_MS = 1_000

export interface LastUseOptions {
  clock: Clock
  /** Writes the uses down. */
  write: (uses: ReadonlyMap<Origin, TokenUse>) => Promise<unknown>
  /** Told of a failed write; the uses of that time are not kept. */
  failed: (error: unknown) => void
}

export class LastUse {
  #uses = new Map<Origin, TokenUse>()
  #cancel: CancelTimer | null = null
  #writtenAt: number | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(private readonly options: LastUseOptions) {}

  /** Takes a use; constant time. */
  note(origin: Origin, tokenHash: string): void {
    const { clock } = this.options
    this.#uses.set(origin, { at: clock.date(), tokenHash })
    if (this.#cancel !== null) return
    const sinceMs = this.#writtenAt === null ? LAST_USE_INTERVAL_MS : clock.now() - this.#writtenAt
    const delayMs = Math.max(LAST_USE_DELAY_MS, LAST_USE_INTERVAL_MS - sinceMs)
    this.#cancel = clock.setTimer(delayMs, () => void this.flush())
  }

  /** True when a use of this very token is waiting to be written. */
  isWaiting(origin: Origin, tokenHash: string): boolean {
    return this.#uses.get(origin)?.tokenHash === tokenHash
  }

  /** Writes what was noted. Never rejects. */
  async flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    if (this.#uses.size > 0) {
      const uses = this.#uses
      this.#uses = new Map()
      this.#writtenAt = this.options.clock.now()
      this.#writing = this.#write(uses)
    }
    await this.#writing
  }

  async #write(uses: ReadonlyMap<Origin, TokenUse>): Promise<void> {
    try {
      await this.options.write(uses)
    } catch (error) {
      this.options.failed(error)
    }
  }
}
