/**
 * From the bytes of a reply to its JSON objects, whatever way the server writes: server-sent events with any line ends,
 * comments and missing blank lines; a plain JSON body; JSON lines; JSON that got into a stream without `data:`.
 * Characters cut between reads are put together here. Every event and every body has a size limit.
 */
import { hasMoreParts } from '@leuria/protocol'
import { createParser } from 'eventsource-parser'

/** Longest single event or plain body, in characters. A tool call with a whole document in it fits. */
export const MAX_EVENT_LENGTH = 4 * 1024 * 1024
/** Objects and lists in one event or plain body; a chunk has a dozen. Nothing but brackets would stop this process. */
const MAX_EVENT_PARTS = 50_000

/** One object of the reply. `declaredError`: the server sent it as `event: error`. */
export interface FedChunk {
  value: unknown
  declaredError: boolean
}

/** What came is not what a model service sends; `sample` is its beginning. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply'
  constructor(
    readonly why: 'too_large' | 'not_json',
    readonly sample: string,
  ) {
    super(why)
  }
}

export interface ChunkFeed {
  /** True once `[DONE]` or a whole plain body was read: nothing more counts. */
  isDone(): boolean
  /** Takes the next bytes; returns what is complete. @throws UnreadableReply */
  push(bytes: Uint8Array): readonly FedChunk[]
  /** The body is over: returns what was still open. @throws UnreadableReply */
  end(): readonly FedChunk[]
}

const SAMPLE_LENGTH = 200

export function createChunkFeed(): ChunkFeed {
  return new Feed()
}

class Feed implements ChunkFeed {
  #done = false
  readonly #decoder = new TextDecoder()
  /** Unknown until the first character that isn't white space. */
  #kind: 'unknown' | 'events' | 'plain' = 'unknown'
  /** The text so far, of a plain body or before the kind is known. */
  #held = ''
  #out: FedChunk[] = []
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data, event }) => {
      this.#event(data, event)
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw new UnreadableReply('too_large', '')
      this.#strayLine(error.line ?? '')
    },
  })

  isDone(): boolean {
    return this.#done
  }

  push(bytes: Uint8Array): readonly FedChunk[] {
    this.#take(this.#decoder.decode(bytes, { stream: true }))
    return this.#flush()
  }

  end(): readonly FedChunk[] {
    this.#take(this.#decoder.decode())
    if (this.#kind === 'events') this.#parser.feed('\n\n')
    else if (this.#held.trim() !== '') this.#plainBody(this.#held)
    return this.#flush()
  }

  #take(text: string): void {
    if (this.#kind === 'events') {
      this.#parser.feed(text)
      return
    }
    this.#held += text
    if (this.#held.length > MAX_EVENT_LENGTH) throw new UnreadableReply('too_large', this.#held.slice(0, SAMPLE_LENGTH))
    if (this.#kind === 'unknown') this.#decideKind()
  }

  /** A JSON body begins with a bracket, a page with `<`; a field of an event stream with neither. */
  #decideKind(): void {
    const first = this.#held.trimStart().charAt(0)
    if (first === '') return
    this.#kind = '{[<'.includes(first) ? 'plain' : 'events'
    if (this.#kind === 'plain') return
    const held = this.#held
    this.#held = ''
    this.#parser.feed(held)
  }

  #flush(): readonly FedChunk[] {
    const out = this.#out
    if (out.length > 0) this.#out = []
    return out
  }

  #event(data: string, event: string | undefined): void {
    if (this.#done || data === '') return
    // Looked for before JSON is: an exception costs more than all the rest of a short answer.
    if (data === '[DONE]') {
      this.#done = true
      return
    }
    const declaredError = event === 'error'
    const value = parseJson(data)
    if (value !== undefined) this.#out.push({ value, declaredError })
    else if (declaredError) this.#out.push({ value: data, declaredError })
    else if (data.trim() === '[DONE]') this.#done = true
    // A broken object is part of an answer that is lost; words that never were JSON ("ping") mean nothing.
    else if (data.trimStart().startsWith('{')) throw new UnreadableReply('not_json', data.slice(0, SAMPLE_LENGTH))
  }

  /** A line without a field name. Some servers write an error's JSON into the stream just so. */
  #strayLine(line: string): void {
    if (this.#done || !line.trimStart().startsWith('{')) return
    const value = parseJson(line)
    if (value !== undefined) this.#out.push({ value, declaredError: false })
  }

  /** One JSON value, or one on each line. */
  #plainBody(text: string): void {
    const whole = parseJson(text)
    if (whole !== undefined) {
      this.#out.push({ value: whole, declaredError: false })
      // A JSON value that is whole is a body that is complete.
      this.#done = true
      return
    }
    for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
      const value = parseJson(line)
      if (value === undefined) throw new UnreadableReply('not_json', text.trim().slice(0, SAMPLE_LENGTH))
      this.#out.push({ value, declaredError: false })
    }
  }
}

/** `undefined`: not JSON (JSON itself has no such value), or more of it than any answer has. */
function parseJson(text: string): unknown {
  if (hasMoreParts(text, MAX_EVENT_PARTS)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
