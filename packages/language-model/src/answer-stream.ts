/**
 * Reads a reply's body into the parts of an answer, and sees to it that this ends: at `[DONE]`, shortly after the finish
 * reason if the server then falls silent, when the connection breaks, when nothing comes for very long, at abort.
 */
import { AgentError } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import type { AnswerAssembler, BodyEnd } from './answer-assembler.js'
import type { ModelPart } from './chat-model.js'
import { type ChunkFeed, createChunkFeed, type FedChunk, UnreadableReply } from './chunk-feed.js'
import { faultOf, type HttpReply } from './http-exchange.js'
import { quote, type ServiceNames, translateFault } from './upstream-error.js'

/** After the finish reason, usage and `[DONE]` follow within moments; some servers send neither and stay (FC-10). */
export const FINISH_GRACE_MS = 2_000
/** Nothing at all for this long, before the first token or later, and the service is taken for stuck. */
export const SILENCE_LIMIT_MS = 30 * 60_000
/** No answer is this long; whatever sends it would only fill the memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

export interface AnswerStreamOptions {
  clock: Clock
  signal: AbortSignal
  names: ServiceNames
  silenceLimitMs?: number
}

/**
 * Yields the answer's parts as they come.
 * @throws AgentError when the answer is an error, unreadable or incomplete. Ends without `finish` at abort.
 */
export async function* readAnswer(
  reply: HttpReply,
  assembler: AnswerAssembler,
  options: AnswerStreamOptions,
): AsyncGenerator<ModelPart[]> {
  const { signal, names } = options
  const feed = createChunkFeed()
  const watch = new Watch(reply, options)
  let bytes = 0
  let complete = false
  try {
    while (!feed.isDone() && !assembler.settled) {
      const next = await nextBytes(reply, watch, signal)
      if (typeof next === 'string') {
        const rest: ModelPart[] = []
        for (const chunk of lastChunks(feed, next)) assembler.read(chunk, rest)
        yield [...rest, ...assembler.end(feed.isDone() ? 'done' : next)]
        complete = next === 'closed'
        return
      }
      bytes += next.length
      if (bytes > MAX_ANSWER_BYTES)
        throw new AgentError('failed', `${names.serviceName} sends an answer without an end.`)
      const parts: ModelPart[] = []
      for (const chunk of feed.push(next)) assembler.read(chunk, parts)
      if (assembler.finished) watch.finishing()
      if (parts.length === 0) continue
      watch.news()
      yield parts
    }
    yield assembler.end('done')
    complete = true
  } catch (error) {
    if (signal.aborted) return
    throw translate(error, names)
  } finally {
    watch.end()
    if (complete) reply.release()
    else reply.stop()
  }
}

/** The next bytes, or how the body ended. */
async function nextBytes(reply: HttpReply, watch: Watch, signal: AbortSignal): Promise<Uint8Array | BodyEnd> {
  try {
    const next = await reply.bytes.next()
    watch.touch()
    if (next.done !== true) return next.value
    return reply.framed ? 'closed' : 'cut'
  } catch (error) {
    if (watch.stopped === 'grace') return 'done'
    if (watch.stopped === 'silence')
      throw new AgentError('timed_out', 'The AI said nothing for very long.', { cause: error })
    const fault = faultOf(error, signal)
    if (fault.kind === 'lost') return 'cut'
    throw fault
  }
}

/** What was still open at the end. Where the body broke off, half an object is no surprise. */
function lastChunks(feed: ChunkFeed, how: BodyEnd): readonly FedChunk[] {
  try {
    return feed.end()
  } catch (error) {
    if (how !== 'closed' && error instanceof UnreadableReply && error.why === 'not_json') return []
    throw error
  }
}

function translate(error: unknown, names: ServiceNames): unknown {
  if (!(error instanceof UnreadableReply))
    return error instanceof AgentError ? error : translateFault(faultOf(error, NEVER), names.serviceName)
  const words =
    error.why === 'too_large'
      ? `${names.serviceName} sent more at once than any answer has`
      : `${names.serviceName} sent something that isn't an answer: ${quote(error.sample, names)}`
  return new AgentError('failed', `${words}.`, { cause: error })
}

const NEVER = new AbortController().signal

/** The two limits of a running answer. No timer is set or cleared for a token: a firing timer looks whether it is due. */
class Watch {
  stopped: 'silence' | 'grace' | null = null
  #lastAt: number
  #finishing = false
  #cancel: () => void

  constructor(
    private readonly reply: HttpReply,
    private readonly options: AnswerStreamOptions,
  ) {
    this.#lastAt = options.clock.now()
    this.#cancel = this.#wait(this.#limit(), 'silence')
  }

  /** Bytes came. */
  touch(): void {
    if (!this.#finishing) this.#lastAt = this.options.clock.now()
  }

  /** A part of the answer came: after a finish reason that was early, the grace begins again. */
  news(): void {
    this.#lastAt = this.options.clock.now()
  }

  /** The finish reason came. */
  finishing(): void {
    if (this.#finishing) return
    this.#finishing = true
    this.#lastAt = this.options.clock.now()
    this.#cancel()
    this.#cancel = this.#wait(FINISH_GRACE_MS, 'grace')
  }

  end(): void {
    this.#cancel()
  }

  #limit(): number {
    return this.options.silenceLimitMs ?? SILENCE_LIMIT_MS
  }

  #wait(delayMs: number, why: 'silence' | 'grace'): () => void {
    return this.options.clock.setTimer(delayMs, () => {
      const limit = why === 'grace' ? FINISH_GRACE_MS : this.#limit()
      const leftMs = limit - (this.options.clock.now() - this.#lastAt)
      if (leftMs > 0) {
        this.#cancel = this.#wait(leftMs, why)
        return
      }
      this.stopped = why
      this.reply.stop()
    })
  }
}
