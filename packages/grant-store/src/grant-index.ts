/** The grants in memory, by origin, and what changed between two states of the file. Pure. */
import type { Origin } from '@leuria/protocol'
import { sameModel } from './grant-edit.js'
import { type GrantFile, readGrant, type StoredGrant } from './grant-file.js'

export interface IndexedGrant {
  grant: StoredGrant
  /** The token's SHA-256, as bytes for comparing. */
  tokenDigest: Buffer
}

export type GrantIndex = ReadonlyMap<Origin, IndexedGrant>

/** What happened to a grant, whichever process did it. */
export interface GrantChange {
  kind: 'added' | 'token_replaced' | 'revoked' | 'ai_changed'
  origin: Origin
}

/** `previous`: its entries are used again where nothing changed. Of two entries of an origin the later one counts. */
export function indexGrants(file: GrantFile, previous?: GrantIndex): GrantIndex {
  const index = new Map<Origin, IndexedGrant>()
  for (const entry of file.grants) {
    const grant = readGrant(entry)
    if (grant === null) continue
    const known = previous?.get(grant.origin)
    index.set(
      grant.origin,
      known?.grant === grant ? known : { grant, tokenDigest: Buffer.from(grant.tokenHash, 'hex') },
    )
  }
  return index
}

/** How many entries this version can't read. */
export function countUnreadable(file: GrantFile): number {
  return file.grants.filter((entry) => readGrant(entry) === null).length
}

/** Revoked first: who lost a permission must be cut off before anything else. */
export function diffGrants(previous: GrantIndex, next: GrantIndex): GrantChange[] {
  const changes: GrantChange[] = []
  for (const origin of previous.keys()) if (!next.has(origin)) changes.push({ kind: 'revoked', origin })
  for (const [origin, { grant }] of next) {
    const old = previous.get(origin)?.grant
    if (old === grant) continue
    if (old === undefined) {
      changes.push({ kind: 'added', origin })
      continue
    }
    if (old.tokenHash !== grant.tokenHash) changes.push({ kind: 'token_replaced', origin })
    if (old.agent !== grant.agent || !sameModel(old.model, grant.model)) changes.push({ kind: 'ai_changed', origin })
  }
  return changes
}
