/**
 * `grants.json` as it is read: the frame must fit, each entry is read by itself. An entry that this version can't read
 * stays in the file and allows nothing, so that one odd entry costs nobody else their permission.
 */
import { grant, type Origin, parseOrigin } from '@leuria/protocol'
import { processMark } from '@leuria/state'
import * as z from 'zod/mini'

export const grantFile = z.looseObject({ version: z._default(z.number(), 1), grants: z.array(z.unknown()) })
export type GrantFile = z.infer<typeof grantFile>

/** A grant, and who holds its token while no page has collected it. */
export const storedGrant = z.extend(grant, { uncollected: z.optional(processMark) })
export type StoredGrant = z.infer<typeof storedGrant>

export const emptyGrantFile = (): GrantFile => ({ version: 1, grants: [] })

/** Entries never change in place, so each is understood once. */
const understood = new WeakMap<object, StoredGrant | null>()

/** `null`: this version can't read the entry. */
export function readGrant(entry: unknown): StoredGrant | null {
  if (typeof entry !== 'object' || entry === null) return null
  const known = understood.get(entry)
  if (known !== undefined) return known
  const parsed = storedGrant.safeParse(entry)
  const read = parsed.success ? parsed.data : null
  understood.set(entry, read)
  return read
}

/** Whose entry this is, also when the rest of it can't be read: revoking must not leave it for a later version. */
export function entryOrigin(entry: unknown): Origin | null {
  if (typeof entry !== 'object' || entry === null || !('origin' in entry)) return null
  return typeof entry.origin === 'string' ? parseOrigin(entry.origin) : null
}
