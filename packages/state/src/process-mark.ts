/**
 * Who left something on disk: a process and one thing in it, so that what a dead one left can be told from what is in
 * use. Locks and marks in files carry this.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import * as z from 'zod/mini'

/** A process on a computer, and an id that is in use only while its owner says so. */
export const processMark = z.looseObject({
  pid: z.int().check(z.gt(0)),
  /** Process ids mean something only on their own computer (or container). */
  host: z.string(),
  id: z.string(),
})
export type ProcessMark = z.infer<typeof processMark>

/** Ids in use in this process. A mark with this process's pid that isn't here was left by an earlier one of that pid. */
const inUse = new Set<string>()

/** A mark of this process, in use until `retireMark`. */
export function createMark(): ProcessMark {
  const id = randomBytes(9).toString('base64url')
  inUse.add(id)
  return { pid: process.pid, host: hostname(), id }
}

/** The mark's owner is done with it: it now counts as left behind. */
export function retireMark(mark: ProcessMark): void {
  inUse.delete(mark.id)
}

/**
 * True when the mark's owner can't be there any more. False also means "can't tell": another computer's process, or a
 * process id that was given to another program since.
 */
export function isLeftBehind(mark: ProcessMark): boolean {
  if (mark.host !== hostname()) return false
  if (mark.pid === process.pid) return !inUse.has(mark.id)
  try {
    process.kill(mark.pid, 0)
    return false
  } catch (error) {
    // EPERM: it is alive and another user's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
