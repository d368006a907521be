/** What can go wrong with a site's own AI, in words for its visitors; what the server said is in `detail`, for logs. */
import { LeuriaError, type LeuriaErrorOptions } from '../errors.js'

/** Longest piece of a server's words that is kept. */
const MAX_DETAIL_LENGTH = 200

/** The server refused or failed: `server_error`, or `too_many` for 429. */
export function serverError({ detail, status, ...more }: LeuriaErrorOptions & { detail: string }): LeuriaError {
  const busy = status === 429
  const words = busy ? "This site's AI is busy. Try again in a moment." : "This site's AI couldn't answer."
  const short = detail.slice(0, MAX_DETAIL_LENGTH)
  // Consoles print causes: developers see the server's words, visitors the plain ones.
  const cause = new Error(`${status ?? ''} ${short}`.trim())
  return new LeuriaError(words, { code: busy ? 'too_many' : 'server_error', cause, ...more, detail: short, status })
}

/** What came can't be read. `bad_answer` */
export function unreadable(detail: string): LeuriaError {
  return serverError({ code: 'bad_answer', detail })
}

/** Nothing came, or the rest didn't. `unreachable` */
export function unreachable(cause: unknown): LeuriaError {
  return new LeuriaError("This site's AI can't be reached.", { code: 'unreachable', cause })
}
