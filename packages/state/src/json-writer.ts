/**
 * The queue of changes to a JSON file: pure functions, applied in order to what is on disk under the lock. Changes that
 * wait together share one write.
 */
import * as z from 'zod/mini'
import type { CurrentJson } from './current-json.js'
import { missingContent } from './json-content.js'
import { type JsonStore, type LockedJson, newerVersionError } from './json-store.js'
import { StateError, writeError } from './state-error.js'

/** A writer whose lock was taken for dead starts over; more often than this something else is wrong. */
const MAX_LOST_LOCKS = 5

interface Change<T> {
  apply: (current: T) => T
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

interface Outcome<T> {
  isWritten: boolean
  /** The changes that did not fail by themselves. */
  accepted: Change<T>[]
  value: T
}

export class JsonWriter<T> {
  #queue: Change<T>[] = []
  #writing: Promise<void> | null = null

  constructor(
    private readonly store: JsonStore<T>,
    private readonly current: CurrentJson<T>,
  ) {}

  update(apply: (current: T) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ apply, resolve, reject })
      this.#writing ??= this.#writeQueued()
    })
  }

  /** Resolves when nothing is queued any more. */
  async idle(): Promise<void> {
    await this.#writing
  }

  async #writeQueued(): Promise<void> {
    // Lets the changes of one tick come together.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      await this.#writeBatch(batch)
    }
    this.#writing = null
  }

  /** Resolves the changes only after the lock is given back: nothing of the write is left beside the file then. */
  async #writeBatch(batch: Change<T>[]): Promise<void> {
    let open = batch
    try {
      for (let lost = 0; lost <= MAX_LOST_LOCKS; lost += 1) {
        const outcome = await this.store.withLock((file) => this.#writeLocked(file, open))
        open = outcome.accepted
        if (outcome.isWritten) {
          for (const change of open) change.resolve(outcome.value)
          return
        }
      }
      throw new StateError('locked', `${this.store.path} is in use by another program.`)
    } catch (error) {
      const failure = writeError(this.store.path, error)
      for (const change of open) change.reject(failure)
    }
  }

  /** `isWritten` is false when the lock was lost: the accepted changes must then be made again. */
  async #writeLocked(file: LockedJson<T>, batch: readonly Change<T>[]): Promise<Outcome<T>> {
    const value = await this.#readLocked(file)
    const { next, accepted } = this.#applyAll(value, batch)
    if (next === value) return { isWritten: true, accepted, value }
    const written = await file.replace(next)
    if (written === null) return { isWritten: false, accepted, value }
    this.current.adopt(written)
    await file.settle()
    return { isWritten: true, accepted, value: next }
  }

  async #readLocked(file: LockedJson<T>): Promise<T> {
    const loaded = await file.load(this.current.known)
    const { content } = loaded
    if (content.kind === 'newer') throw newerVersionError(this.store.path, content.version)
    if (content.kind === 'damaged') {
      await file.setAside(content.reason)
      this.current.adopt(missingContent())
    } else {
      this.current.adopt(loaded)
    }
    return this.current.value
  }

  #applyAll(value: T, batch: readonly Change<T>[]): { next: T; accepted: Change<T>[] } {
    let next = value
    const accepted: Change<T>[] = []
    for (const change of batch) {
      try {
        const wanted = change.apply(next)
        if (wanted !== next) next = this.#checked(wanted)
        accepted.push(change)
      } catch (error) {
        change.reject(error)
      }
    }
    return { next, accepted }
  }

  /** A value that the next start would take for a damaged file must never reach the disk. */
  #checked(value: T): T {
    const parsed = z.safeParse(this.store.options.format.schema, value)
    if (parsed.success) return parsed.data
    throw new StateError('invalid_value', `This value doesn't belong in ${this.store.path}.`, { cause: parsed.error })
  }
}
