/** What can go wrong with a site's own AI, in words for its visitors; what the server said is in `detail`, for logs. */
import { LeuriaError, type LeuriaErrorOptions } from '../errors.js'

/** Longest piece of a server's words that is kept. */
const MAX_DETAIL_LENGTH = 200

/** `too_many` for status 429, else `server_error`, or the code that is given. */
export function serverError(detail: string, options: LeuriaErrorOptions = {}): LeuriaError {
  const busy = options.status === 429
  const short = detail.slice(0, MAX_DETAIL_LENGTH)
  return new LeuriaError(busy ? "This site's AI is busy. Try again in a moment." : "This site's AI couldn't answer.", {
    code: busy ? 'too_many' : 'server_error',
    detail: short,
    // Consoles print causes: developers see the server's words, visitors the plain ones.
    cause: short,
    ...options,
  })
}

/** What came can't be read. */
export function unreadable(detail: string): LeuriaError {
  return serverError(detail, { code: 'bad_answer' })
}
