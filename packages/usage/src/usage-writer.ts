/**
 * `usage.json` and the counts on their way to it: added in memory at once, written now and then, never while a request
 * waits. What could not be written is kept and tried again.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { UsageDay, UsageFile } from '@leuria/protocol'
import type { JsonFile } from '@leuria/state'
import { minuteOf } from './calendar.js'
import { type Counts, NOTHING_USED, type Owner, sum, Tally } from './tally.js'
import { addTally, withDays } from './usage-edit.js'

/** At most one write in this time. A crash loses what was counted since the last one. */
export const USAGE_WRITE_DELAY_MS = 5_000
/** After a failed write. */
const RETRY_MS = 60_000

export interface UsageWriterOptions {
  file: JsonFile<UsageFile>
  clock: Clock
  log: (line: string) => void
}

export class UsageWriter {
  #pending = new Tally()
  /** What is being written right now: in the file perhaps, in `#saved` not yet. */
  #writing: Tally | null = null
  #saved: UsageFile
  /** The file's counts of one day, by owner. */
  #day: { day: string; sites: Map<Owner, Counts> } = { day: '', sites: new Map() }
  #minutes = new Map<Owner, [number, number][]>()
  #cancelTimer: CancelTimer | null = null
  #flushing: Promise<void> = Promise.resolve()
  #isFailing = false
  readonly #unsubscribe: () => void

  constructor(private readonly options: UsageWriterOptions) {
    this.#saved = options.file.value
    this.#index()
    this.#unsubscribe = options.file.subscribe(() => {
      // Between our own write and its end the file has counts that `#writing` still holds too.
      if (this.#writing === null) this.#adopt()
    })
  }

  /** Takes counts; constant time. */
  add(write: (tally: Tally) => void): void {
    write(this.#pending)
    this.#arm(USAGE_WRITE_DELAY_MS)
  }

  /** What the owner has used on that day; constant time while the day is the same. */
  used(day: string, owner: Owner): Counts {
    if (this.#day.day !== day) this.#indexDay(day)
    const unsaved = sum(this.#pending.of(day, owner), this.#writing?.of(day, owner) ?? NOTHING_USED)
    return sum(this.#day.sites.get(owner) ?? NOTHING_USED, unsaved)
  }

  /** The owner's turns by minute: at most what an hour has, from each of three places. */
  minutes(owner: Owner): (readonly [number, number])[] {
    const unsaved = [this.#pending, this.#writing].flatMap((tally) => [...(tally?.minutes.get(owner) ?? [])])
    return [...(this.#minutes.get(owner) ?? []), ...unsaved]
  }

  /** All days, oldest first, with what isn't written yet. */
  days(): UsageDay[] {
    const unsaved = new Tally()
    for (const tally of [this.#pending, this.#writing]) if (tally !== null) unsaved.addAll(tally)
    return withDays(this.#saved.days, unsaved)
  }

  /** Writes what was counted. Never rejects. */
  flush(): Promise<void> {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async close(): Promise<void> {
    await this.flush()
    this.#cancelTimer?.()
    this.#unsubscribe()
    await this.options.file.close()
  }

  #arm(delayMs: number): void {
    this.#cancelTimer ??= this.options.clock.setTimer(delayMs, () => void this.flush())
  }

  async #write(): Promise<void> {
    if (this.#pending.isEmpty) return
    const { file, clock, log } = this.options
    const tally = this.#pending
    this.#writing = tally
    this.#pending = new Tally()
    try {
      await file.update((value) => addTally(value, tally, minuteOf(clock.date())))
      this.#writing = null
      this.#isFailing = false
    } catch (error) {
      this.#writing = null
      this.#pending.addAll(tally)
      if (!this.#isFailing)
        log(`What sites use can't be saved: ${error instanceof Error ? error.message : 'unknown error'}`)
      this.#isFailing = true
      this.#arm(RETRY_MS)
    }
    this.#adopt()
  }

  #adopt(): void {
    this.#saved = this.options.file.value
    this.#index()
  }

  #index(): void {
    this.#indexDay(this.#day.day)
    this.#minutes = new Map()
    for (const { origin, minute, turns } of this.#saved.recent) {
      const minutes = this.#minutes.get(origin) ?? []
      minutes.push([minute, turns])
      this.#minutes.set(origin, minutes)
    }
  }

  #indexDay(day: string): void {
    const sites = this.#saved.days.find((entry) => entry.day === day)?.sites ?? []
    this.#day = { day, sites: new Map(sites.map((site) => [site.origin, site])) }
  }
}
