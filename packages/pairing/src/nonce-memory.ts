/**
 * The nonces that one origin has used: the latest, and older ones that must never become the latest again.
 * Kept as SHA-256 and compared in constant time: a nonce is as good as the token it collects.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

/** A nonce's SHA-256. */
export type NonceHash = Buffer

/**
 * Nonces that one question accepts. A page makes one a click; beyond this something replaces them in a loop.
 * As many older ones are remembered, so that none of a question's own is ever forgotten while it lasts.
 */
export const MAX_NONCES = 64

export function hashNonce(nonce: string): NonceHash {
  return createHash('sha256').update(nonce).digest()
}

export class NonceMemory {
  #latest: NonceHash | null = null
  #older: NonceHash[] = []

  /** `fresh`: never seen, or so long ago that it is forgotten. */
  relation(hash: NonceHash): 'latest' | 'older' | 'fresh' {
    if (this.#latest !== null && timingSafeEqual(this.#latest, hash)) return 'latest'
    let known = false
    for (const older of this.#older) known = timingSafeEqual(older, hash) || known
    return known ? 'older' : 'fresh'
  }

  /** Makes it the latest; the one before becomes an older one. */
  adopt(hash: NonceHash): void {
    if (this.relation(hash) === 'latest') return
    this.spend()
    this.#latest = hash
  }

  /** The latest has done its work, or was replaced: it is an older one from here on. */
  spend(): void {
    if (this.#latest === null) return
    this.#older.push(this.#latest)
    if (this.#older.length > MAX_NONCES) this.#older.shift()
    this.#latest = null
  }
}
