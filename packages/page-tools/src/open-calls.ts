/**
 * Calls that wait for the page: each ends exactly once, by its answer, its time limit, its caller or the session's end.
 * Timers are cleared at once: a 10-minute timer left behind by every call would make memory follow the rate of calls.
 */
import type { CallSignal, ToolFailure } from '@leuria/agent'
import type { CancelTimer, Clock } from '@leuria/clock'
import type { PageAnswer, PageLink } from './page-link.js'

/** How the wait for the page ended: its answer, or why there is none. */
export type WaitEnd = PageAnswer | { ok: false; code: ToolFailure; error: string }

export interface OpenCallsOptions {
  page: PageLink
  clock: Clock
  timeoutMs: number
}

/** Words for a call whose caller has gone. */
export const CANCELLED: WaitEnd = {
  ok: false,
  code: 'cancelled',
  error: 'The call was cancelled before the page answered.',
}

export class OpenCalls {
  readonly #options: OpenCallsOptions
  readonly #open = new Map<string, (end: WaitEnd) => void>()

  constructor(options: OpenCallsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#open.size
  }

  /** Starts a call and waits for its end. `send` gets the id to use. Never rejects. */
  wait(send: (id: string) => Promise<PageAnswer>, signal: CallSignal | undefined): Promise<WaitEnd> {
    if (signal?.aborted === true) return Promise.resolve(CANCELLED)
    const id = crypto.randomUUID()
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#abandon(id, CANCELLED)
      }
      const cancelTimer = this.#startTimer(id)
      this.#open.set(id, (end) => {
        this.#open.delete(id)
        cancelTimer()
        signal?.removeEventListener('abort', onAbort)
        resolve(end)
      })
      signal?.addEventListener('abort', onAbort)
      send(id).then(
        (answer) => this.#open.get(id)?.(answer),
        (error: unknown) => this.#open.get(id)?.(surprise(error)),
      )
    })
  }

  /** Ends every open call the same way; the page is told. */
  endAll(end: WaitEnd): void {
    for (const id of [...this.#open.keys()]) this.#abandon(id, end)
  }

  #startTimer(id: string): CancelTimer {
    const { clock, timeoutMs } = this.#options
    return clock.setTimer(timeoutMs, () => {
      this.#abandon(id, {
        ok: false,
        code: 'timed_out',
        error: `The page did not answer within ${formatDuration(timeoutMs)}.`,
      })
    })
  }

  /** Settles first: whatever the link does then comes too late. */
  #abandon(id: string, end: WaitEnd): void {
    this.#open.get(id)?.(end)
    this.#options.page.cancel(id)
  }
}

function surprise(error: unknown): WaitEnd {
  const reason = error instanceof Error ? error.message : String(error)
  return { ok: false, code: 'page_error', error: `The page could not be asked: ${reason}` }
}

function formatDuration(ms: number): string {
  const minutes = ms / 60_000
  return Number.isInteger(minutes) ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${ms / 1000} seconds`
}
