/** Looks at the disk for what other processes wrote, and takes it in; sets a damaged file aside when it sees one. */
import { basename, dirname } from 'node:path'
import type { CancelTimer } from '@leuria/clock'
import type { CurrentJson } from './current-json.js'
import { watchFolder } from './folder-watch.js'
import { type Loaded, missingContent } from './json-content.js'
import { type JsonStore, newerVersionError } from './json-store.js'
import { errnoOf, StateError } from './state-error.js'

/** A file that vanished or became unreadable text is looked at again after this time: an editor may be saving it. */
export const CONFIRM_MS = 250

export class JsonWatcher<T> {
  #stopped = false
  /** One look at a time. */
  #looking: Promise<void> = Promise.resolve()
  #trouble = ''
  #stopWatching: () => void = () => undefined
  #cancelConfirm: CancelTimer = () => undefined

  constructor(
    private readonly store: JsonStore<T>,
    private readonly current: CurrentJson<T>,
  ) {}

  /** The first look. @throws StateError `unreadable` or `newer_version` */
  async start(): Promise<void> {
    const { path, options } = this.store
    const loaded = await this.store.load()
    if (loaded.content.kind === 'newer') throw newerVersionError(path, loaded.content.version)
    if (loaded.content.kind === 'damaged') await this.#setAside(loaded)
    else this.current.adopt(loaded)
    this.#stopWatching = watchFolder(dirname(path), {
      fs: options.fs,
      clock: options.clock,
      concerns: (name) => name === basename(path),
      look: () => void this.#lookQuietly(false),
    })
  }

  /** Takes in what is there right now. @throws StateError `unreadable` */
  look(): Promise<void> {
    return this.#look(true)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopWatching()
    this.#cancelConfirm()
    await this.#looking
  }

  #look(certain: boolean): Promise<void> {
    const look = this.#looking.then(() => this.#lookNow(certain))
    this.#looking = look.catch(() => undefined)
    return look
  }

  async #lookQuietly(certain: boolean): Promise<void> {
    try {
      await this.#look(certain)
    } catch (error) {
      // What was last known stays: a disk that fails for a moment must not end everybody's sessions.
      this.#report(error instanceof Error ? error.message : `${this.store.path} can't be read.`)
    }
  }

  async #lookNow(certain: boolean): Promise<void> {
    if (this.#stopped) return
    const { generation } = this.current
    if (await this.#isAsKnown()) return
    const loaded = await this.store.load(this.current.known)
    if (generation !== this.current.generation) return this.#lookNow(certain)
    if (loaded.content.kind === 'whole') {
      this.#trouble = ''
      this.current.adopt(loaded)
    } else if (certain) {
      await this.#takeAsEmpty(loaded)
    } else {
      this.#cancelConfirm()
      this.#cancelConfirm = this.store.options.clock.setTimer(CONFIRM_MS, () => void this.#lookQuietly(true))
    }
  }

  async #isAsKnown(): Promise<boolean> {
    try {
      return (await this.store.options.fs.facts(this.store.path)).identity === this.current.known.identity
    } catch (error) {
      return errnoOf(error) === 'ENOENT' && this.current.known.identity === null
    }
  }

  async #takeAsEmpty(loaded: Loaded<T>): Promise<void> {
    if (loaded.content.kind === 'damaged') {
      await this.#setAside(loaded)
      return
    }
    if (loaded.content.kind === 'newer')
      this.#report(newerVersionError(this.store.path, loaded.content.version).message)
    this.current.adopt(loaded)
  }

  /** When that can't be done right away, the next change does it before it writes. */
  async #setAside(seen: Loaded<T>): Promise<void> {
    const { path } = this.store
    try {
      await this.store.withLock(async (file) => {
        const loaded = await file.load()
        if (loaded.content.kind === 'newer') throw newerVersionError(path, loaded.content.version)
        if (loaded.content.kind === 'damaged') await file.setAside(loaded.content.reason)
        this.current.adopt(loaded.content.kind === 'damaged' ? missingContent() : loaded)
      })
    } catch (error) {
      if (error instanceof StateError && error.code === 'newer_version') throw error
      this.#report(`${path} is damaged and is taken as empty. It can't be renamed now, and nothing is written over it.`)
      this.current.adopt(seen)
    }
  }

  /** One line for each trouble, not one for each look. */
  #report(line: string): void {
    if (this.#trouble === line) return
    this.#trouble = line
    this.store.options.log(line)
  }
}
