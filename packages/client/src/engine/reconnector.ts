/**
 * Keeps one connection up: tries, waits with backoff, tries again, gives up after five failures in a row.
 * What is connected, and whether it is gone for good, the attempt says. The stream and the channel each have one.
 */
import { type Clock, pause } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import { backoffMs, MAX_ATTEMPTS } from './backoff.js'

export type LinkStatus = 'connecting' | 'open' | 'waiting' | 'closed'

export type LinkEvent = 'opened' | 'dropped' | 'due' | 'gone' | 'close'

/** Status × event → status; anything else can't happen and changes nothing. */
export const LINK_TABLE: Readonly<Record<LinkStatus, Readonly<Partial<Record<LinkEvent, LinkStatus>>>>> = {
  connecting: { opened: 'open', dropped: 'waiting', gone: 'closed', close: 'closed' },
  open: { dropped: 'waiting', gone: 'closed', close: 'closed' },
  waiting: { due: 'connecting', gone: 'closed', close: 'closed' },
  closed: {},
}

/** How one connection ended. */
export interface AttemptEnd {
  /** It was good for something: failures are counted anew. */
  progressed: boolean
  /** Set when no attempt can succeed any more. */
  gone?: LeuriaError
}

export interface ReconnectorOptions {
  clock: Clock
  /**
   * Connects, calls `opened`, and resolves when that connection has ended. Must end soon after `signal` aborts.
   * A rejection counts as a drop.
   */
  attempt: (signal: AbortSignal, opened: () => void) => Promise<AttemptEnd>
  /** A connection dropped, or another attempt failed; `failures` in a row so far (0 after one that had progressed). */
  onDrop: (failures: number) => void
  /** It is over: given up, or gone. Not called after `close`. */
  onGone: (error: LeuriaError) => void
}

/** A connection that lived this long was good for something, even if nothing came over it. */
export const PROGRESS_AFTER_MS = 5_000

export class Reconnector {
  readonly #options: ReconnectorOptions
  #status: LinkStatus = 'connecting'
  #cut = new AbortController()
  #hurry = new AbortController()
  #reopening = false
  readonly #waiters = new Set<() => void>()

  constructor(options: ReconnectorOptions) {
    this.#options = options
  }

  get status(): LinkStatus {
    return this.#status
  }

  /** Begins; returns at once. */
  start(): void {
    void this.#run()
  }

  /** Resolves once the connection is open or over. */
  settled(): Promise<void> {
    if (this.#status === 'open' || this.#status === 'closed') return Promise.resolve()
    return new Promise((resolve) => this.#waiters.add(resolve))
  }

  /** Drops the connection and makes a new one at once. Not counted as a failure. */
  reopen(): void {
    if (this.#status === 'closed') return
    this.#reopening = true
    this.#cut.abort()
    this.#hurry.abort()
  }

  /** Cuts a wait short; an attempt that comes early isn't counted. */
  hurry(): void {
    this.#hurry.abort()
  }

  close(): void {
    this.#move('close')
    this.#cut.abort()
    this.#hurry.abort()
  }

  get #isClosed(): boolean {
    return this.#status === 'closed'
  }

  #move(event: LinkEvent): void {
    this.#status = LINK_TABLE[this.#status][event] ?? this.#status
    if (this.#status !== 'open' && this.#status !== 'closed') return
    for (const resolve of this.#waiters) resolve()
    this.#waiters.clear()
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#isClosed) {
      const end = await this.#once()
      if (this.#status === 'closed') return
      const isReopening = this.#reopening && end.gone === undefined
      if (end.progressed) failures = 0
      const gone = end.gone ?? (failures >= MAX_ATTEMPTS && !isReopening ? lostConnection() : undefined)
      if (gone !== undefined) {
        this.#move('gone')
        this.#options.onGone(gone)
        return
      }
      this.#move('dropped')
      this.#options.onDrop(failures)
      if (!isReopening && (await this.#wait(backoffMs(failures)))) failures += 1
      this.#move('due')
    }
  }

  async #once(): Promise<AttemptEnd> {
    const { attempt, clock } = this.#options
    this.#cut = new AbortController()
    this.#reopening = false
    let openedAt: number | undefined
    const lived = (): boolean => openedAt !== undefined && clock.now() - openedAt >= PROGRESS_AFTER_MS
    try {
      const end = await attempt(this.#cut.signal, () => {
        openedAt = clock.now()
        this.#move('opened')
      })
      return { ...end, progressed: end.progressed || lived() }
    } catch {
      return { progressed: lived() }
    }
  }

  /** True: the whole wait passed. */
  async #wait(delayMs: number): Promise<boolean> {
    this.#hurry = new AbortController()
    const { signal } = this.#hurry
    await pause(this.#options.clock, delayMs, signal)
    return !signal.aborted
  }
}

function lostConnection(): LeuriaError {
  return new LeuriaError('The connection to Leuria was lost.', { code: 'lost_connection' })
}
