/** Bodies that are read whole: errors, and lists of models. With a size limit and a deadline each. */
import type { Clock } from '@leuria/clock'
import type { HttpReply } from './http-exchange.js'
import { readUpstreamError, type UpstreamError } from './upstream-error.js'

/** An error page may be long; its words are at its beginning. */
const MAX_ERROR_BYTES = 64 * 1024
/** The head of the reply is here; the rest of an error follows at once. */
const ERROR_BODY_LIMIT_MS = 5_000

/** The body's text, as much as fits. Ends the reply. Never throws: a body that breaks off is as long as it got. */
export async function readText(
  reply: HttpReply,
  options: { clock: Clock; maxBytes: number; limitMs: number },
): Promise<string> {
  const decoder = new TextDecoder()
  const cancel = options.clock.setTimer(options.limitMs, () => {
    reply.stop()
  })
  let text = ''
  let bytes = 0
  try {
    for (let next = await reply.bytes.next(); next.done !== true; next = await reply.bytes.next()) {
      bytes += next.value.length
      text += decoder.decode(next.value, { stream: true })
      if (bytes > options.maxBytes) break
    }
  } catch {
    // What came before the break is all there is.
  } finally {
    cancel()
  }
  if (bytes > options.maxBytes) reply.stop()
  else reply.release()
  return text
}

/** What a reply with an error status says. */
export async function readErrorReply(reply: HttpReply, clock: Clock): Promise<UpstreamError> {
  const { status } = reply
  const text = await readText(reply, { clock, maxBytes: MAX_ERROR_BYTES, limitMs: ERROR_BODY_LIMIT_MS })
  // A page in HTML (a proxy's "502 Bad Gateway") says nothing to a visitor.
  const words = text.trimStart().startsWith('<') ? '' : text
  return readUpstreamError(parse(words) ?? words, status, true) ?? { status, message: '', code: '' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
