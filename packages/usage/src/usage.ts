/**
 * What sites use and what the visitor allows them to use: counts in memory, kept by day in `usage.json`; limits in
 * `limits.json`, whichever process changes them. Knows neither sessions nor requests: the engine tells it what happens.
 */
import { join } from 'node:path'
import { type Clock, systemClock } from '@leuria/clock'
import { limitsFile, type LimitsFile, type Origin, type SiteLimits, type SiteUsage, type UsageDay, usageFile } from '@leuria/protocol' // prettier-ignore
import { type JsonFile, openJsonFile, type StateFs } from '@leuria/state'
import { type Check, findOverLimit, type OverLimit } from './budget.js'
import { dayOf, minuteOf } from './calendar.js'
import { changeLimits, clearLimits, emptyLimitsFile, indexLimits, type LimitChange, type LimitEntry } from './limit-edit.js' // prettier-ignore
import type { Owner } from './tally.js'
import { countTokens, type TurnFigures } from './token-count.js'
import { emptyUsageFile } from './usage-edit.js'
import { UsageWriter } from './usage-writer.js'

export interface UsageOptions {
  /** From `resolveHome` of `@leuria/state`. */
  home: string
  /** @default systemClock */
  clock?: Clock
  /** Takes a line for people: a damaged file, a disk that takes nothing. */
  log?: (line: string) => void
  /** @default nodeFs of `@leuria/state` */
  fs?: StateFs
}

export interface Usage {
  /** The limit that stands in the way of one more session or turn; `null`: none. In memory, no I/O. */
  check(owner: Owner, what: Check): OverLimit | null
  sessionOpened(owner: Owner): void
  sessionEnded(owner: Owner): void
  /** A turn counts when it begins, whatever becomes of it. */
  turnStarted(owner: Owner): void
  /** Its tokens count when it has ended. */
  turnEnded(owner: Owner, figures: TurnFigures): void
  /** What the owner has used today, by this computer's calendar. */
  today(owner: Owner): SiteUsage
  /** The last 31 days with any use, newest first. */
  days(): UsageDay[]
  limitsOf(origin: Origin): SiteLimits
  /** Of every site that has any. */
  limits(): LimitEntry[]
  /** Tells when limits have changed, whichever process changed them. Returns its undo. */
  subscribeLimits(listener: () => void): () => void
  /** Resolves with what holds then, durable. @throws StateError when it can't be saved */
  changeLimits(origin: Origin, change: LimitChange): Promise<SiteLimits>
  /** False: the site had none. @throws StateError when it can't be saved */
  clearLimits(origin: Origin): Promise<boolean>
  /** Writes what was counted and not written yet. Never rejects. */
  flush(): Promise<void>
  /** Writes what is outstanding and stops watching. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens `limits.json` and `usage.json` in the home. The caller closes it.
 * @throws StateError `newer_version`, `unreadable`, or why the home can't be made
 */
export async function openUsage(options: UsageOptions): Promise<Usage> {
  const { home, clock = systemClock, log = () => undefined, fs } = options
  const common = { clock, log, ...(fs === undefined ? {} : { fs }) }
  const limits = await openJsonFile({
    ...common,
    path: join(home, 'limits.json'),
    schema: limitsFile,
    empty: emptyLimitsFile,
  })
  try {
    const path = join(home, 'usage.json')
    const file = await openJsonFile({ ...common, path, schema: usageFile, empty: emptyUsageFile })
    return new FileUsage(limits, new UsageWriter({ file, clock, log }), clock)
  } catch (error) {
    await limits.close()
    throw error
  }
}

class FileUsage implements Usage {
  readonly #sessions = new Map<Owner, number>()
  #limits: ReadonlyMap<Origin, SiteLimits>
  #closed: Promise<void> | null = null

  constructor(
    private readonly file: JsonFile<LimitsFile>,
    private readonly writer: UsageWriter,
    private readonly clock: Clock,
  ) {
    this.#limits = indexLimits(file.value)
    file.subscribe((value) => {
      this.#limits = indexLimits(value)
    })
  }

  check(owner: Owner, what: Check): OverLimit | null {
    // Limits are for sites: a program on this computer already runs as the visitor (Conventions, Callers).
    const limits = owner === 'local' ? undefined : this.#limits.get(owner)
    if (limits === undefined) return null
    const now = this.clock.date()
    const used = {
      now,
      sessions: this.#sessions.get(owner) ?? 0,
      tokensToday: this.writer.used(dayOf(now), owner).tokens,
      minutes: this.writer.minutes(owner),
    }
    return findOverLimit(limits, used, what)
  }

  sessionOpened(owner: Owner): void {
    this.#sessions.set(owner, (this.#sessions.get(owner) ?? 0) + 1)
  }

  sessionEnded(owner: Owner): void {
    const left = (this.#sessions.get(owner) ?? 0) - 1
    if (left > 0) this.#sessions.set(owner, left)
    else this.#sessions.delete(owner)
  }

  turnStarted(owner: Owner): void {
    const now = this.clock.date()
    this.writer.add((tally) => {
      tally.add(dayOf(now), owner, { turns: 1 })
      tally.addTurns(owner, minuteOf(now), 1)
    })
  }

  turnEnded(owner: Owner, figures: TurnFigures): void {
    const { tokens, estimated } = countTokens(figures)
    this.writer.add((tally) => {
      tally.add(dayOf(this.clock.date()), owner, { tokens, estimatedTokens: estimated })
    })
  }

  today(owner: Owner): SiteUsage {
    const { turns, tokens, estimatedTokens } = this.writer.used(dayOf(this.clock.date()), owner)
    return { origin: owner, turns, tokens, estimatedTokens }
  }

  days(): UsageDay[] {
    return this.writer.days().reverse()
  }

  limitsOf(origin: Origin): SiteLimits {
    return this.#limits.get(origin) ?? {}
  }

  limits(): LimitEntry[] {
    return [...this.#limits].map(([origin, limits]) => ({ origin, ...limits }))
  }

  subscribeLimits(listener: () => void): () => void {
    return this.file.subscribe(listener)
  }

  async changeLimits(origin: Origin, change: LimitChange): Promise<SiteLimits> {
    await this.file.update((value) => changeLimits(value, origin, change))
    return this.limitsOf(origin)
  }

  async clearLimits(origin: Origin): Promise<boolean> {
    let existed = false
    await this.file.update((value) => {
      const rest = clearLimits(value, origin)
      existed = rest !== value
      return rest
    })
    return existed
  }

  flush(): Promise<void> {
    return this.writer.flush()
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all([this.writer.close(), this.file.close()]).then(() => undefined)
    return this.#closed
  }
}
