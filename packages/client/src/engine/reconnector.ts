/**
 * Keeps one connection up: tries, waits with backoff, tries again, gives up after five failures in a row.
 * What is connected, and whether it is gone for good, its options say. The stream and the channel each have one.
 */
import { type Clock, pause } from '@leuria/clock'
import { AbortError, LeuriaError, toLeuriaError } from '../errors.js'
import { backoffMs, MAX_ATTEMPTS } from './backoff.js'

export type LinkStatus = 'connecting' | 'open' | 'waiting' | 'closed'

/** `over`: given up, gone, or closed by the page. */
export type LinkEvent = 'opened' | 'dropped' | 'due' | 'over'

/** Status × event → status; anything else can't happen and changes nothing. */
export const LINK_TABLE: Readonly<Record<LinkStatus, Readonly<Partial<Record<LinkEvent, LinkStatus>>>>> = {
  connecting: { opened: 'open', dropped: 'waiting', over: 'closed' },
  open: { dropped: 'waiting', over: 'closed' },
  waiting: { due: 'connecting', over: 'closed' },
  closed: {},
}

/** What the stream and the channel tell whoever holds them. */
export interface LinkCallbacks {
  /** The connection dropped, or another attempt failed; `failures` in a row so far (0 after one that had been good). */
  onDrop: (failures: number) => void
  /** It stands again. */
  onReopen: () => void
  /** It is over: given up, or gone. Not called after `close`, nor when it never stood: then `open` rejects. */
  onGone: (error: LeuriaError) => void
}

export interface ReconnectorOptions<Connection> extends LinkCallbacks {
  clock: Clock
  /** Rejects soon after `signal` aborts. */
  connect: (signal: AbortSignal) => Promise<Connection>
  /** Resolves when the connection has ended, soon after `signal` aborts at the latest. True: something new came over it. */
  use: (connection: Connection, signal: AbortSignal) => Promise<boolean>
  /** Why no attempt can succeed any more, after one that failed. `null`: one may. */
  findGone: (error: unknown) => Promise<LeuriaError | null>
}

/** A connection that lived this long was good for something, even if nothing came over it. */
export const PROGRESS_AFTER_MS = 5_000

interface AttemptEnd {
  /** It was good for something: failures are counted anew. */
  progressed: boolean
  /** No attempt can succeed any more. */
  gone?: LeuriaError | null
}

export class Reconnector<Connection> {
  readonly #options: ReconnectorOptions<Connection>
  #status: LinkStatus = 'connecting'
  #cut = new AbortController()
  #hurry = new AbortController()
  #reopening = false
  #wasOpen = false
  /** Whoever waits for the connection to stand; told why, when it never will. */
  readonly #waiters = new Set<(error?: LeuriaError) => void>()

  constructor(options: ReconnectorOptions<Connection>) {
    this.#options = options
  }

  get status(): LinkStatus {
    return this.#status
  }

  /** Begins. Resolves when the connection stands for the first time; a failure before that rejects and is the end. */
  open(): Promise<void> {
    void this.#run()
    return new Promise((resolve, reject) => {
      this.#waiters.add((error) => {
        if (error === undefined) resolve()
        else reject(error)
      })
    })
  }

  /** Resolves once the connection stands, or is over. */
  settled(): Promise<void> {
    if (this.#status === 'open' || this.#status === 'closed') return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiters.add(() => {
        resolve()
      })
    })
  }

  /** Drops the connection and makes a new one at once. Not counted as a failure. */
  reopen(): void {
    this.#reopening = true
    this.#cut.abort()
    this.#hurry.abort()
  }

  /** Cuts a wait short; an attempt that comes early isn't counted. */
  hurry(): void {
    this.#hurry.abort()
  }

  close(): void {
    this.#over(new AbortError())
    this.#cut.abort()
    this.#hurry.abort()
  }

  #move(event: LinkEvent): void {
    this.#status = LINK_TABLE[this.#status][event] ?? this.#status
  }

  #tellWaiters(error?: LeuriaError): void {
    for (const tell of this.#waiters) tell(error)
    this.#waiters.clear()
  }

  #over(error: LeuriaError): void {
    this.#move('over')
    this.#tellWaiters(error)
  }

  async #run(): Promise<void> {
    let failures = 0
    for (;;) {
      const { progressed, gone } = await this.#once()
      if (this.#status === 'closed') return
      if (progressed) failures = 0
      const isLost = failures >= MAX_ATTEMPTS && !this.#reopening
      const error = gone ?? (isLost ? lostConnection() : null)
      if (error !== null) {
        this.#over(error)
        if (this.#wasOpen) this.#options.onGone(error)
        return
      }
      this.#move('dropped')
      this.#options.onDrop(failures)
      if (!this.#reopening && (await this.#wait(backoffMs(failures)))) failures += 1
      this.#move('due')
    }
  }

  async #once(): Promise<AttemptEnd> {
    const { connect, findGone } = this.#options
    this.#cut = new AbortController()
    this.#reopening = false
    const { signal } = this.#cut
    if (this.#status === 'closed') return { progressed: false }
    try {
      return await this.#serve(await connect(signal), signal)
    } catch (error) {
      const gone = this.#wasOpen ? await findGone(error) : toLeuriaError(error)
      return { progressed: false, gone }
    }
  }

  async #serve(connection: Connection, signal: AbortSignal): Promise<AttemptEnd> {
    const { clock, use, onReopen } = this.#options
    const openedAt = clock.now()
    this.#move('opened')
    this.#tellWaiters()
    if (this.#wasOpen) onReopen()
    this.#wasOpen = true
    // However a connection ends, it is made again.
    const isNew = await use(connection, signal).catch(() => false)
    return { progressed: isNew || clock.now() - openedAt >= PROGRESS_AFTER_MS }
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
