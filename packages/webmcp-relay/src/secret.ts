/**
 * The tokens of a channel. Each is `<channel id>.<secret>`: the id finds the channel, the secret is compared in
 * constant time, so that no answer's timing tells how much of a guess was right.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits: as good as unguessable. */
const SECRET_BYTES = 32

export interface Secret {
  /** What its holder sends. */
  readonly token: string
  matches(token: string): boolean
}

export function createSecret(channelId: string): Secret {
  const token = `${channelId}.${randomBytes(SECRET_BYTES).toString('base64url')}`
  const bytes = Buffer.from(token)
  return {
    token,
    matches(given) {
      const givenBytes = Buffer.from(given)
      return givenBytes.length === bytes.length && timingSafeEqual(givenBytes, bytes)
    },
  }
}

/** The id part; `''` when there is none. */
export function channelIdOf(token: string): string {
  return token.slice(0, Math.max(0, token.indexOf('.')))
}
