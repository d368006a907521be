/**
 * A JSON file under its lock: re-reads, sets a damaged file aside, replaces the content durably. Keeps no value; what
 * is current in memory, the queue of changes and the watching are `json-file.ts`.
 */
import { basename, dirname } from 'node:path'
import type { Clock } from '@leuria/clock'
import { removeLeftovers, replaceFile } from './durable-write.js'
import { type FileLock, lockFile } from './file-lock.js'
import type { StateFs } from './file-system.js'
import { openFolder } from './home.js'
import { inTurn } from './in-turn.js'
import { digestOf, type JsonFormat, type Loaded, loadJson } from './json-content.js'
import { PRIVATE_FILE_MODE } from './private-modes.js'
import { errnoOf, StateError, writeError } from './state-error.js'

export interface JsonStoreOptions<T> {
  fs: StateFs
  clock: Clock
  format: JsonFormat<T>
  log: (line: string) => void
}

/** What can be done while the lock is held. */
export interface LockedJson<T> {
  load(known?: Loaded<T>): Promise<Loaded<T>>
  /** Gives the damaged file another name, for good, and says so in the log. The file is then missing. */
  setAside(reason: string): Promise<void>
  /** `null`: the lock was lost and nothing was written. The content is safe only after `settle`. */
  replace(value: T): Promise<Loaded<T> | null>
  /** Makes what was done survive a power cut. */
  settle(): Promise<void>
}

/** Refuses a file that a newer program wrote: its fields may mean something this one would break. */
export function newerVersionError(path: string, version: number): StateError {
  return new StateError(
    'newer_version',
    `${path} was written by a newer version of Leuria (format ${version}) and is left as it is. Update Leuria to use it.`,
  )
}

/** `2026-11-30T13-24-05Z`: sorts by time and is a valid name on every system. */
function nameStamp(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(':', '-') + 'Z'
}

export class JsonStore<T> {
  #cleaned = false
  constructor(
    readonly path: string,
    readonly options: JsonStoreOptions<T>,
  ) {}

  /** Reads without the lock: every write replaces the file as a whole. */
  load(known?: Loaded<T>): Promise<Loaded<T>> {
    const { fs, format } = this.options
    return loadJson(this.path, { fs, format, known })
  }

  /** Closes the file to other users, where it was open to them. */
  async makePrivate(): Promise<void> {
    const { fs, log } = this.options
    if (process.platform === 'win32') return
    const facts = await fs.facts(this.path).catch(() => null)
    if (facts === null || (facts.mode & 0o077) === 0) return
    await fs.setMode(this.path, PRIVATE_FILE_MODE).catch(() => {
      log(`Other users can read ${this.path}, and its permissions can't be changed.`)
    })
  }

  /** Runs `work` as the only writer among all processes. @throws StateError `locked`, or why there can be no lock. */
  withLock<R>(work: (file: LockedJson<T>) => Promise<R>, waitMs?: number): Promise<R> {
    return inTurn(this.path, async () => {
      const lock = await this.#lock(waitMs)
      try {
        if (!this.#cleaned) await removeLeftovers(this.path, this.options.fs)
        this.#cleaned = true
        return await work(this.#locked(lock))
      } finally {
        await lock.release()
      }
    })
  }

  async #lock(waitMs?: number): Promise<FileLock> {
    const { fs, clock, log } = this.options
    const take = (): Promise<FileLock> => lockFile(`${this.path}.lock`, { fs, clock, waitMs })
    try {
      return await take()
    } catch (error) {
      // The whole folder was removed while the program runs: make it again.
      if (!(error instanceof StateError) || errnoOf(error.cause) !== 'ENOENT') throw error
      await openFolder(dirname(this.path), { fs, log })
      return take()
    }
  }

  #locked(lock: FileLock): LockedJson<T> {
    const { fs } = this.options
    const settle = async (): Promise<void> => {
      try {
        await fs.syncFolder(dirname(this.path))
      } catch (error) {
        throw writeError(this.path, error)
      }
    }
    return {
      load: (known) => this.load(known),
      setAside: async (reason) => {
        const name = await this.#rename()
        await settle()
        this.options.log(`${this.path} is damaged: ${reason}. It was kept as ${name}; starting with an empty one.`)
      },
      replace: async (value) => {
        const text = `${JSON.stringify(value, null, 2)}\n`
        const facts = await replaceFile(this.path, text, { fs, mayReplace: () => lock.isHeld() })
        if (facts === null) return null
        return { content: { kind: 'whole', value }, identity: facts.identity, digest: digestOf(text) }
      },
      settle,
    }
  }

  async #rename(): Promise<string> {
    const { fs, clock } = this.options
    const wanted = `${this.path}.damaged-${nameStamp(clock.date())}`
    try {
      const taken = new Set(await fs.list(dirname(this.path)))
      let name = wanted
      for (let copy = 2; taken.has(basename(name)); copy += 1) name = `${wanted}-${copy}`
      await fs.rename(this.path, name)
      await fs.setMode(name, PRIVATE_FILE_MODE).catch(() => undefined)
      return name
    } catch (error) {
      throw writeError(this.path, error)
    }
  }
}
