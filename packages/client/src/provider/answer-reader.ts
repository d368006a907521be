/**
 * From the bytes of a chat completion to its text, its reasoning and its calls, whatever way the server writes: a stream
 * with or without its last blank line, or the whole answer as one JSON body. Who fetches, and how long, is `ask-server.ts`.
 */
import { createSseParser } from '../engine/sse-parser.js'
import { asText, isFields, parseJson } from '../engine/unknown-value.js'
import { addCallPiece, type RawCall } from './answer-calls.js'
import { serverError, unreadable } from './server-error.js'

export interface AnswerReader {
  /** Takes the next bytes; nothing: the body is over. @throws LeuriaError what the server says went wrong, or can't be read */
  push(bytes?: Uint8Array): void
  /** The server says that nothing more comes. */
  ended: boolean
  /** Why the AI is done; figures may follow. */
  finish?: string
  readonly calls: RawCall[]
}

/** Ends an event whose blank line is missing. */
const BLANK_LINES = [10, 10]

export function createAnswerReader(
  onText: (delta: string) => void,
  onReasoning: (delta: string) => void,
): AnswerReader {
  const decoder = new TextDecoder()
  /** The body until its first event: it may be one JSON value, and no stream. */
  let head: string | null = ''

  const take = (data: string, isError = false): void => {
    const chunk = parseJson(data)
    const fields = isFields(chunk) ? chunk : {}
    if (isError || fields.error) throw toldError(fields, data)
    // A broken object is a part of the answer that is lost; words that never were JSON ("ping") mean nothing.
    if (chunk === undefined && /^\s*{/.test(data)) throw unreadable(data)
    const [choice] = (Array.isArray(fields.choices) ? fields.choices : []) as unknown[]
    if (!isFields(choice)) return
    reader.finish ??= asText(choice.finish_reason)
    const delta = choice.delta ?? choice.message
    if (!isFields(delta)) return
    const { content, reasoning_content: thought, reasoning, tool_calls: pieces } = delta
    onReasoning(asText(thought) ?? asText(reasoning) ?? '')
    onText(asText(content) ?? (Array.isArray(content) ? content.map(partText).join('') : ''))
    if (Array.isArray(pieces)) for (const piece of pieces) addCallPiece(reader.calls, piece)
  }

  const parser = createSseParser(({ event, data }) => {
    head = null
    if (data === '[DONE]') reader.ended = true
    if (!reader.ended) take(data, event === 'error')
  })

  const reader: AnswerReader = {
    ended: false,
    calls: [],
    push: (bytes) => {
      if (head !== null) head += decoder.decode(bytes, { stream: true })
      parser.push(bytes ?? new Uint8Array(BLANK_LINES))
      if (bytes || reader.ended || reader.finish) return
      if (head?.trim()) {
        take(head)
        // A body that is one JSON value is complete.
        if (!parseJson(head)) throw unreadable(head)
      } else throw new Error('The answer broke off.')
    },
  }
  return reader
}

function partText(part: unknown): string {
  return (isFields(part) && asText(part.text)) || ''
}

/** The server's own words about what went wrong, wherever it puts them, and its status if it tells one. */
function toldError(fields: Readonly<Record<string, unknown>>, data: string): Error {
  const error = isFields(fields.error) ? fields.error : fields
  const words = asText(fields.error) ?? asText(error.message) ?? asText(fields.error_message) ?? data
  return serverError(words, { status: typeof error.code === 'number' ? error.code : undefined })
}
