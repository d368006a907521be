/**
 * A private JSON file as a value in memory: reading is a property access, changing is a queue of pure functions, and
 * what other processes write arrives by itself. Joins `json-writer.ts` and `json-watcher.ts` over one `JsonStore`.
 */
import { dirname } from 'node:path'
import { type Clock, systemClock } from '@leuria/clock'
import type * as z from 'zod/mini'
import { CurrentJson, type ValueListener } from './current-json.js'
import { findLeftovers } from './durable-write.js'
import { nodeFs, type StateFs } from './file-system.js'
import { openFolder } from './home.js'
import { JsonStore } from './json-store.js'
import { JsonWatcher } from './json-watcher.js'
import { JsonWriter } from './json-writer.js'
import { StateError } from './state-error.js'

export interface JsonFileOptions<T> {
  path: string
  /** Loose objects at every level keep the fields that this version doesn't know. */
  schema: z.core.$ZodType<T>
  /** The newest `version` field that this program understands; a file with a higher one is refused. @default 1 */
  version?: number
  /** What a missing or damaged file says. */
  empty: () => T
  /** Takes one line for people: a damaged file, open permissions. Never holds content. */
  log?: (line: string) => void
  /** @default systemClock */
  clock?: Clock
  /** @default nodeFs */
  fs?: StateFs
}

export interface JsonFile<T> {
  /** Where the file really is, links followed. */
  readonly path: string
  /** What the file says, as far as known. Never changes in place. */
  readonly value: T
  /**
   * Applies `change` to what is on disk right then, whoever wrote it, and resolves with the new value once that would
   * survive a power cut. Changes queue up and share writes. Returning the argument itself writes nothing. `change`
   * must be pure: it may run again.
   * @throws StateError, the old file being whole; or what `change` threw
   */
  update(change: (current: T) => T): Promise<T>
  /** Looks at the disk at once instead of waiting for word from it. @throws StateError `unreadable` */
  refresh(): Promise<void>
  /** Tells of every new value, whichever process made it, before `update` resolves. Returns its undo. */
  subscribe(listener: ValueListener<T>): () => void
  /** Finishes queued changes and stops watching. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens the file, making its folder when missing; the file itself is made by the first change. The caller closes it.
 * A damaged file is set aside under another name (`<name>.damaged-<time>`), with a line in the log, and reads as empty.
 * @throws StateError `newer_version`, `unreadable`, or why the folder can't be made
 */
export async function openJsonFile<T>(options: JsonFileOptions<T>): Promise<JsonFile<T>> {
  const { fs = nodeFs, clock = systemClock, log = () => undefined, version = 1, schema, empty } = options
  await openFolder(dirname(options.path), { fs, log })
  // A link (people keep settings elsewhere) must not be replaced by a file.
  const path = await fs.realPath(options.path).catch(() => options.path)
  const store = new JsonStore(path, { fs, clock, log, format: { schema, version } })
  const current = new CurrentJson(empty, log)
  const watcher = new JsonWatcher(store, current)
  await watcher.start()
  await store.makePrivate()
  await removeLeftoversIfIdle(store)
  return joinParts({ path, current, watcher, writer: new JsonWriter(store, current) })
}

/** What a crash left goes away when nobody is writing; otherwise the next change takes it along. */
async function removeLeftoversIfIdle<T>(store: JsonStore<T>): Promise<void> {
  const leftovers = await findLeftovers(store.path, store.options.fs)
  if (leftovers.length > 0) await store.withLock(async () => undefined, 0).catch(() => undefined)
}

interface Parts<T> {
  path: string
  current: CurrentJson<T>
  watcher: JsonWatcher<T>
  writer: JsonWriter<T>
}

function joinParts<T>({ path, current, watcher, writer }: Parts<T>): JsonFile<T> {
  let isClosed = false
  return {
    path,
    get value() {
      return current.value
    },
    update: (change) =>
      isClosed ? Promise.reject(new StateError('closed', `${path} is closed.`)) : writer.update(change),
    refresh: () => watcher.look(),
    subscribe: (listener) => current.subscribe(listener),
    close: async () => {
      isClosed = true
      await watcher.stop()
      await writer.idle()
      current.silence()
    },
  }
}
