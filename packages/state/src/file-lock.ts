/**
 * A lock across processes: a file made with O_EXCL that names its holder. Owns taking, giving back and clearing what a
 * dead process left; the order inside one process is `in-turn.ts`.
 *
 * Clearing is the delicate part: of two processes that both see a dead lock, the slower must not remove the lock that
 * the faster has taken meanwhile. So only the holder of a second lock, whose name carries the identity of the very
 * file to be removed, removes it, after looking again.
 */
import { createHash } from 'node:crypto'
import { type Clock, pause } from '@leuria/clock'
import type { OpenFile, StateFs } from './file-system.js'
import { keepAlive } from './keep-alive.js'
import { createMark, isLeftBehind, processMark, retireMark, type ProcessMark } from './process-mark.js'
import { errnoOf, StateError, writeError } from './state-error.js'

/** How long a writer waits for its turn before it gives up with `locked`. Far above what a queue of writers takes. */
export const LOCK_WAIT_MS = 30_000
/**
 * A lock that a waiter has seen unchanged for this long is cleared even if its process seems alive: a holder works for
 * milliseconds, so its id was given to another program, or it is suspended (it then sees its loss and tries again).
 */
export const LOCK_STALE_MS = 10_000
/** The same for a lock without a name in it: the process died between making and filling it. */
export const UNNAMED_LOCK_STALE_MS = 2_000
/** Pause between two tries; the half of it is random so that waiters don't march in step. */
const RETRY_MS = 16
/** A lock that guards a clearing can be left behind itself, and so on; more than this never happened to anybody. */
const MAX_GUARDS = 3

export interface FileLock {
  /** False when the lock was cleared by a process that took this one for dead: nothing may be written any more. */
  isHeld(): Promise<boolean>
  /** Never throws: what can't be removed is cleared by the next who wants it. */
  release(): Promise<void>
}

export interface LockOptions {
  fs: StateFs
  clock: Clock
  /** 0: one try. @default LOCK_WAIT_MS */
  waitMs?: number
}

interface SeenLock {
  identity: string
  mark: ProcessMark | null
}

/** Takes the lock file at `path`. @throws StateError `locked`, or why the lock can't be made. */
export async function lockFile(path: string, options: LockOptions): Promise<FileLock> {
  const lock = await tryLock(path, options.fs)
  if (lock !== null) return lock
  const letGo = keepAlive()
  try {
    return await waitForLock(path, options)
  } finally {
    letGo()
  }
}

async function waitForLock(path: string, options: LockOptions): Promise<FileLock> {
  const { fs, clock, waitMs = LOCK_WAIT_MS } = options
  const startedAt = clock.now()
  const patience = createPatience(clock)
  for (;;) {
    const cleared = await clearIfDead(path, { fs, patience, guards: 0 })
    if (!cleared && clock.now() - startedAt >= waitMs)
      throw new StateError('locked', `Another program is using ${lockedPath(path)}. Try again in a moment.`)
    if (!cleared) await pause(clock, RETRY_MS * (0.5 + Math.random() / 2))
    const lock = await tryLock(path, fs)
    if (lock !== null) return lock
  }
}

/** The file that people know, for messages. */
function lockedPath(path: string): string {
  return path.replace(/\.lock(\.[0-9a-f]{16})*$/, '')
}

/** `null`: somebody has it. */
async function tryLock(path: string, fs: StateFs): Promise<FileLock | null> {
  let file: OpenFile
  try {
    file = await fs.open(path, 'create')
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null
    throw writeError(lockedPath(path), error)
  }
  const mark = createMark()
  const lock = heldLock(path, mark, fs)
  try {
    try {
      await writeMark(file, mark)
    } finally {
      await file.close()
    }
  } catch (error) {
    await fs.remove(path).catch(() => undefined)
    await lock.release()
    throw writeError(lockedPath(path), error)
  }
  if (await lock.isHeld()) return lock
  await lock.release()
  return null
}

async function writeMark(file: OpenFile, mark: ProcessMark): Promise<void> {
  const content = Buffer.from(`${JSON.stringify(mark)}\n`)
  // One write: a shorter one leaves a lock without a readable name, which is cleared like an unnamed one.
  await file.write(content)
}

function heldLock(path: string, mark: ProcessMark, fs: StateFs): FileLock {
  const isHeld = async (): Promise<boolean> => (await seeLock(path, fs).catch(() => null))?.mark?.id === mark.id
  return {
    isHeld,
    release: async () => {
      if (await isHeld()) await fs.remove(path).catch(() => undefined)
      retireMark(mark)
    },
  }
}

/** `null`: there is none (any more). */
async function seeLock(path: string, fs: StateFs): Promise<SeenLock | null> {
  let file: OpenFile
  try {
    file = await fs.open(path, 'read')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw writeError(lockedPath(path), error)
  }
  try {
    const content = await file.readAll()
    const { identity } = await file.facts()
    const text = content.toString('utf8')
    return {
      identity: createHash('sha256').update(`${identity}\n${text}`).digest('hex').slice(0, 16),
      mark: parse(text),
    }
  } finally {
    await file.close()
  }
}

function parse(text: string): ProcessMark | null {
  try {
    const read = processMark.safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** Remembers since when each lock was seen unchanged, on the monotonic clock: a changed date clears nothing. */
interface Patience {
  isOver(path: string, lock: SeenLock): boolean
}

function createPatience(clock: Clock): Patience {
  const seen = new Map<string, { identity: string; since: number }>()
  return {
    isOver(path, lock) {
      const known = seen.get(path)
      if (known?.identity !== lock.identity) {
        seen.set(path, { identity: lock.identity, since: clock.now() })
        return false
      }
      return clock.now() - known.since >= (lock.mark === null ? UNNAMED_LOCK_STALE_MS : LOCK_STALE_MS)
    },
  }
}

interface ClearOptions {
  fs: StateFs
  patience: Patience
  guards: number
}

/** True when the lock is gone and another try is worth making at once. */
async function clearIfDead(path: string, options: ClearOptions): Promise<boolean> {
  const { fs, patience, guards } = options
  const seen = await seeLock(path, fs)
  if (seen === null) return true
  const isDead = (seen.mark !== null && isLeftBehind(seen.mark)) || patience.isOver(path, seen)
  if (!isDead || guards > MAX_GUARDS) return false
  const guardPath = `${path}.${seen.identity}`
  const guard = await tryLock(guardPath, fs)
  if (guard === null) {
    await clearIfDead(guardPath, { fs, patience, guards: guards + 1 })
    return false
  }
  try {
    const again = await seeLock(path, fs)
    if (again?.identity === seen.identity && (await guard.isHeld())) await fs.remove(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return true
    throw writeError(lockedPath(path), error)
  } finally {
    await guard.release()
  }
}
