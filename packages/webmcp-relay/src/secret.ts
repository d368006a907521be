/**
 * The tokens of a channel. Each is `<channel id>.<secret>`: the id finds the channel, the secret is compared in
 * constant time, so that no answer's timing tells how much of a guess was right.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits: as good as unguessable. */
const SECRET_BYTES = 32

export class Secret {
  /** What its holder sends. */
  readonly token: string

  constructor(channelId: string) {
    this.token = `${channelId}.${randomBytes(SECRET_BYTES).toString('base64url')}`
  }

  /** Its bytes aren't kept: three secrets of each session would hold a block of Node's buffers that is as good as empty. */
  matches(given: string): boolean {
    const [ours, theirs] = [Buffer.from(this.token), Buffer.from(given)]
    return ours.length === theirs.length && timingSafeEqual(ours, theirs)
  }
}

/** The id part; `''` when there is none. */
export function channelIdOf(token: string): string {
  return token.slice(0, Math.max(0, token.indexOf('.')))
}
