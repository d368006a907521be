/**
 * The sites' permissions: who may call (in memory, constant time), giving and taking them (durable), and one feed of
 * changes whichever process made them. Knows neither pairing nor sessions; files, locks and watching are `@leuria/state`.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { type Clock, systemClock } from '@leuria/clock'
import type { Grant, Needs, Origin } from '@leuria/protocol'
import { createMark, type JsonFile, openJsonFile, type ProcessMark, retireMark, type StateFs } from '@leuria/state'
import * as edit from './grant-edit.js'
import type { AiChoice } from './grant-edit.js'
import { emptyGrantFile, type GrantFile, grantFile } from './grant-file.js'
import { countUnreadable, diffGrants, type GrantChange, type GrantIndex, indexGrants } from './grant-index.js'
import { LastUse } from './last-use.js'

/** 256 bits: nothing to guess. */
const TOKEN_BYTES = 32
/** Compared with when the origin has no grant; no token hashes to zeros. */
const NO_DIGEST = Buffer.alloc(32)

export interface GrantStoreOptions {
  /** From `resolveHome` of `@leuria/state`. */
  home: string
  /** @default systemClock */
  clock?: Clock
  /** Takes a line for people: a damaged file, entries that can't be read. */
  log?: (line: string) => void
  /** Told of each grant that `revoke` of this very store took back: the feed tells of other processes' too, and doesn't say why. */
  revoked?: (origin: Origin) => void
  /** @default nodeFs of `@leuria/state` */
  fs?: StateFs
}

export interface IssueInput extends AiChoice {
  origin: Origin
  app?: string
  /** Replaces what the site said it needs before; absent: nothing. */
  needs?: Needs
  /** No page has the token yet: should this process die first, the grant is removed at the next start. */
  uncollected?: boolean
}

/** Everything that changes rejects with a `StateError` when it can't be saved; nothing has changed then. */
export interface GrantStore {
  /** True when `token` is the origin's. In memory, no I/O, constant-time comparison. Notes the use. */
  verify(origin: Origin, token: string): boolean
  has(origin: Origin): boolean
  get(origin: Origin): Grant | null
  /** In the file's order. A new array each time; the grants must not be changed. */
  list(): readonly Grant[]
  /** Makes the origin's grant, or gives the one it has a new token; then its AI and model stay. Durable when resolved. */
  issue(input: IssueInput): Promise<{ token: string }>
  /** The page is about to get the token, or has it. Does nothing for a token that another process holds. */
  collected(origin: Origin): Promise<void>
  /** Takes `collected` back: the answer with the token never arrived and this process still holds it. */
  uncollected(origin: Origin): Promise<void>
  /** Removes the grant if this process still holds its token and nobody has used it. */
  discardUncollected(origin: Origin): Promise<void>
  /** False: there was none. Its listeners have been told when this resolves. */
  revoke(origin: Origin): Promise<boolean>
  /** Sets AI and model; another AI without a model gets its default one. False: the origin has no grant. */
  choose(origin: Origin, choice: AiChoice): Promise<boolean>
  /** Tells of changes by any process, in order, revocations first. Returns its undo. */
  subscribe(listener: (change: GrantChange) => void): () => void
  /** Looks at the file at once instead of waiting for word of a change. @throws StateError `unreadable` */
  refresh(): Promise<void>
  /** Writes what is outstanding and stops watching. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens `<home>/grants.json` and removes grants whose token died uncollected with another process. The caller closes it.
 * @throws StateError `newer_version`, `unreadable`, or why the home can't be made
 */
export async function openGrantStore(options: GrantStoreOptions): Promise<GrantStore> {
  const { home, clock = systemClock, log = () => undefined, revoked = () => undefined, fs } = options
  const file = await openJsonFile({
    path: join(home, 'grants.json'),
    schema: grantFile,
    empty: emptyGrantFile,
    clock,
    fs,
    log,
  })
  const store = new FileGrantStore(file, { clock, log, revoked })
  await discardLeftBehind(file, log)
  return store
}

/** A home that can't be written still lets everybody in who was let in before. */
async function discardLeftBehind(file: JsonFile<GrantFile>, log: (line: string) => void): Promise<void> {
  if (edit.discardLeftBehind(file.value) === file.value) return
  await file.update(edit.discardLeftBehind).catch((error: unknown) => {
    log(`Connections that were never completed could not be removed: ${describe(error)}`)
  })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error'
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

class FileGrantStore implements GrantStore {
  #index: GrantIndex
  /** Names this store as the holder of tokens that no page has yet. */
  readonly #holder: ProcessMark = createMark()
  /** Hashes of the tokens this store has made: what `uncollected` may be said of. */
  readonly #issued = new Map<Origin, string>()
  readonly #listeners = new Set<(change: GrantChange) => void>()
  readonly #lastUse: LastUse
  #unreadable = 0
  #isUseFailing = false

  constructor(
    private readonly file: JsonFile<GrantFile>,
    private readonly options: { clock: Clock; log: (line: string) => void; revoked: (origin: Origin) => void },
  ) {
    this.#index = indexGrants(file.value)
    this.#reportUnreadable(file.value)
    file.subscribe((value) => {
      this.#take(value)
    })
    this.#lastUse = new LastUse({
      clock: options.clock,
      write: async (uses) => {
        await file.update((value) => edit.noteUses(value, uses))
        this.#isUseFailing = false
      },
      failed: (error) => {
        if (!this.#isUseFailing) options.log(`When sites were last used can't be saved: ${describe(error)}`)
        this.#isUseFailing = true
      },
    })
  }

  verify(origin: Origin, token: string): boolean {
    const entry = this.#index.get(origin)
    const isEqual = timingSafeEqual(hashToken(token), entry?.tokenDigest ?? NO_DIGEST)
    if (entry === undefined || !isEqual) return false
    this.#lastUse.note(origin, entry.grant.tokenHash)
    return true
  }

  has(origin: Origin): boolean {
    return this.#index.has(origin)
  }

  get(origin: Origin): Grant | null {
    return this.#index.get(origin)?.grant ?? null
  }

  list(): readonly Grant[] {
    return [...this.#index.values()].map(({ grant }) => grant)
  }

  async issue(input: IssueInput): Promise<{ token: string }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const tokenHash = hashToken(token).toString('hex')
    const grant = {
      ...input,
      tokenHash,
      createdAt: this.options.clock.date().toISOString(),
      uncollected: input.uncollected === true ? this.#holder : undefined,
    }
    await this.file.update((value) => edit.addGrant(value, grant))
    this.#issued.set(input.origin, tokenHash)
    return { token }
  }

  async collected(origin: Origin): Promise<void> {
    await this.file.update((value) => edit.markCollected(value, origin, this.#holder))
  }

  async uncollected(origin: Origin): Promise<void> {
    const tokenHash = this.#issued.get(origin)
    if (tokenHash === undefined) return
    const held = { tokenHash, holder: this.#holder }
    await this.file.update((value) => edit.markUncollected(value, origin, held))
  }

  async discardUncollected(origin: Origin): Promise<void> {
    // A token that was used has arrived, even if the answer that carried it looked lost.
    const tokenHash = this.get(origin)?.tokenHash ?? ''
    if (this.#lastUse.isWaiting(origin, tokenHash)) await this.collected(origin)
    else await this.file.update((value) => edit.discardHeld(value, origin, this.#holder))
  }

  async revoke(origin: Origin): Promise<boolean> {
    const found = { grant: false }
    await this.file.update((value) => {
      const rest = edit.removeGrant(value, origin)
      found.grant = rest !== value
      return rest
    })
    if (found.grant) this.options.revoked(origin)
    return found.grant
  }

  async choose(origin: Origin, choice: AiChoice): Promise<boolean> {
    let exists = false
    await this.file.update((value) => {
      exists = edit.findGrant(value, origin) !== null
      return edit.chooseAi(value, origin, choice)
    })
    return exists
  }

  subscribe(listener: (change: GrantChange) => void): () => void {
    const entry = (change: GrantChange): void => {
      listener(change)
    }
    this.#listeners.add(entry)
    return () => this.#listeners.delete(entry)
  }

  refresh(): Promise<void> {
    return this.file.refresh()
  }

  async close(): Promise<void> {
    await this.#lastUse.flush()
    await this.file.close()
    retireMark(this.#holder)
    this.#listeners.clear()
  }

  #take(value: GrantFile): void {
    const previous = this.#index
    this.#index = indexGrants(value, previous)
    this.#reportUnreadable(value)
    for (const change of diffGrants(previous, this.#index)) {
      if (change.kind === 'revoked') this.#issued.delete(change.origin)
      for (const listener of this.#listeners) this.#tell(listener, change)
    }
  }

  #tell(listener: (change: GrantChange) => void, change: GrantChange): void {
    try {
      listener(change)
    } catch (error) {
      this.options.log(`A listener for grant changes failed: ${describe(error)}`)
    }
  }

  #reportUnreadable(value: GrantFile): void {
    const count = countUnreadable(value)
    if (count > this.#unreadable)
      this.options.log(`${this.file.path}: ${count} entries can't be read. They are kept and allow nothing.`)
    this.#unreadable = count
  }
}
