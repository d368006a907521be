/**
 * An append-only log of lines in files by day, private to the user. Taking a line never waits and never fails; writing
 * goes on behind it, with a bounded queue. Reading is `line-reader.ts`.
 */
import { type CancelTimer, type Clock, systemClock } from '@leuria/clock'
import { nodeFs, type StateFs } from './file-system.js'
import { openFolder } from './home.js'
import { appendLines } from './log-append.js'
import { dayOf, type KeepLimits, listLogFiles, type LogFile, logFile, pruneLogFiles } from './log-files.js'
import { writeError } from './state-error.js'

/** After a failed write (a full disk) the lines wait this long for the next try. */
export const LINE_LOG_RETRY_MS = 5_000
/**
 * After a write the lines of so many milliseconds come together: one write, not one a line, while much goes on. A line
 * after a calm is written at once.
 */
export const LINE_LOG_PAUSE_MS = 50
/** Most bytes in one write: a burst doesn't become one huge buffer. */
const MAX_WRITE_BYTES = 256 * 1024

export interface LineLogOptions extends KeepLimits {
  folder: string
  /** A day's file that would grow beyond this continues in another part. A tenth of `maxBytes` is sensible. */
  maxFileBytes: number
  /** Most bytes that wait in memory while the disk doesn't take them; lines beyond are dropped and counted. */
  maxQueuedBytes: number
  /** Makes the line that tells, once writing works again, how many were dropped meanwhile. */
  formatDropped: (count: number) => string
  /** @default systemClock */
  clock?: Clock
  /** @default nodeFs */
  fs?: StateFs
  /** Takes one line when writing stops working, and one when it works again. */
  log?: (line: string) => void
}

export interface LineLog {
  /** Takes a line (without a line break) of the given time. Returns at once, never throws. */
  append(line: string, at: Date): void
  /** Resolves when everything taken so far is written, or could not be. */
  flush(): Promise<void>
  /** Flushes, trying once more what failed before, and stops. Idempotent; later lines are ignored. */
  close(): Promise<void>
}

/** Opens the log; its folder is made with the first line. The caller closes it. */
export function openLineLog(options: LineLogOptions): LineLog {
  return new QueuedLineLog(options)
}

interface QueuedLine {
  day: string
  bytes: Buffer
}

class QueuedLineLog implements LineLog {
  #queue: QueuedLine[] = []
  #queuedBytes = 0
  #dropped = 0
  #writing: Promise<void> | null = null
  #cancelRetry: CancelTimer | null = null
  #cancelPause: CancelTimer | null = null
  #isFailing = false
  #isClosed = false
  #file: LogFile | null = null
  readonly #fs: StateFs
  readonly #clock: Clock
  readonly #log: (line: string) => void

  constructor(private readonly options: LineLogOptions) {
    this.#fs = options.fs ?? nodeFs
    this.#clock = options.clock ?? systemClock
    this.#log = options.log ?? (() => undefined)
  }

  append(line: string, at: Date): void {
    if (this.#isClosed) return
    const bytes = Buffer.from(`${line.replaceAll('\n', ' ')}\n`)
    if (this.#queuedBytes + bytes.length > this.options.maxQueuedBytes) this.#dropped += 1
    else this.#push({ day: dayOf(at), bytes })
    if (this.#cancelRetry === null && this.#cancelPause === null) this.#start()
  }

  async flush(): Promise<void> {
    this.#endPause()
    while (this.#writing !== null) {
      await this.#writing
      this.#endPause()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    if (this.#cancelRetry === null) return
    this.#cancelRetry()
    this.#cancelRetry = null
    this.#start()
    await this.flush()
  }

  #push(line: QueuedLine): void {
    this.#queue.push(line)
    this.#queuedBytes += line.bytes.length
  }

  #start(): void {
    this.#writing ??= this.#writeQueued().then(() => {
      this.#writing = null
      if (this.#isFailing) return
      this.#cancelPause = this.#clock.setTimer(LINE_LOG_PAUSE_MS, () => {
        this.#endPause()
      })
    })
  }

  #endPause(): void {
    if (this.#cancelPause === null) return
    this.#cancelPause()
    this.#cancelPause = null
    if (this.#queue.length > 0) this.#start()
  }

  /** Never rejects. */
  async #writeQueued(): Promise<void> {
    // Lets the lines of one tick come together.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      // Only what waits already: what comes meanwhile goes with the next write, after the pause.
      for (let left = this.#queue.length; left > 0;) left -= await this.#writeSome()
      if (this.#queue.length === 0 && this.#tellDropped()) await this.#writeSome()
      if (this.#isFailing) this.#log(`Writing to ${this.options.folder} works again.`)
      this.#isFailing = false
    } catch (error) {
      this.#failed(error)
    }
  }

  /** True when there was something to tell; it is then the only line in the queue. */
  #tellDropped(): boolean {
    if (this.#dropped === 0) return false
    const line = this.options.formatDropped(this.#dropped)
    this.#dropped = 0
    this.#push({ day: dayOf(this.#clock.date()), bytes: Buffer.from(`${line}\n`) })
    return true
  }

  /** How many lines were written. */
  async #writeSome(): Promise<number> {
    let written = 0
    const day = this.#queue[0]?.day ?? ''
    const file = await this.#fileFor(day)
    const outcome = await appendLines(file.name, this.#firstOf(day), {
      folder: this.options.folder,
      fs: this.#fs,
      maxFileBytes: this.options.maxFileBytes,
      wrote: (count) => {
        written += count
        for (const line of this.#queue.splice(0, count)) this.#queuedBytes -= line.bytes.length
      },
    })
    if (outcome === 'full') this.#file = await this.#nextPart(file)
    return written
  }

  /** The queue's first lines, as long as they belong to that day and to one write. */
  #firstOf(day: string): Buffer[] {
    const batch: Buffer[] = []
    let size = 0
    for (const line of this.#queue) {
      size += line.bytes.length
      if (line.day !== day || (batch.length > 0 && size > MAX_WRITE_BYTES)) break
      batch.push(line.bytes)
    }
    return batch
  }

  async #fileFor(day: string): Promise<LogFile> {
    if (this.#file?.day === day) return this.#file
    const { folder } = this.options
    await openFolder(folder, { fs: this.#fs, log: this.#log })
    const parts = (await listLogFiles(folder, this.#fs)).filter((file) => file.day === day)
    await this.#prune()
    this.#file = parts.at(-1) ?? logFile(day, 1)
    return this.#file
  }

  async #nextPart(file: LogFile): Promise<LogFile> {
    await this.#prune()
    return logFile(file.day, file.part + 1)
  }

  /** Leaves room for one more full file, so that the sum stays below the limit while it grows. */
  async #prune(): Promise<void> {
    const { folder, maxDays, maxBytes, maxFileBytes } = this.options
    const limits = { maxDays, maxBytes: Math.max(0, maxBytes - maxFileBytes) }
    await pruneLogFiles(folder, { ...limits, fs: this.#fs, today: this.#clock.date() })
  }

  #failed(error: unknown): void {
    // The folder or file may be gone: look again next time.
    this.#file = null
    if (!this.#isFailing) this.#log(writeError(this.options.folder, error).message)
    this.#isFailing = true
    if (this.#isClosed) return
    this.#cancelRetry = this.#clock.setTimer(LINE_LOG_RETRY_MS, () => {
      this.#cancelRetry = null
      this.#start()
    })
  }
}
