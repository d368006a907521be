/**
 * From the bytes of a chat completion to its text, its reasoning and its calls, whatever way the server writes: a stream
 * with or without its last blank line, or the whole answer as one JSON body. Who fetches, and how long, is `ask-server.ts`.
 */
import { createSseParser } from '../engine/sse-parser.js'
import { asText, isFields, parseJson } from '../engine/unknown-value.js'
import { addCallPiece, type RawCall } from './answer-calls.js'
import { serverError, unreadable } from './server-error.js'

export interface AnswerListener {
  text(delta: string): void
  reasoning(delta: string): void
}

export interface AnswerReader {
  /** @throws LeuriaError what the server says went wrong, or what can't be read */
  push(bytes: Uint8Array): void
  /** The body is over: reads what was still open. @throws as `push` */
  end(): void
  /** `ended`: the server says that nothing more comes. `finished`: the AI is done, only figures may follow. */
  state(): 'open' | 'finished' | 'ended'
  /** The calls, as far as they came; none when the answer was cut off at its longest (`length`). */
  calls(): RawCall[]
}

/** Longest answer that is read: as much as one event may have. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const BLANK_LINES = new Uint8Array([10, 10])
const BRACE = 123

export function createAnswerReader(hear: AnswerListener): AnswerReader {
  const calls: RawCall[] = []
  const decoder = new TextDecoder()
  /** A body that begins with a brace is JSON, not a stream. `undefined`: nothing came yet. */
  let isPlain: boolean | undefined
  let plain = ''
  let size = 0
  let finish: string | undefined
  let ended = false

  const takeDelta = (delta: unknown): void => {
    if (!isFields(delta)) return
    const { content, reasoning_content: reasoning = delta.reasoning, tool_calls: pieces } = delta
    const thought = asText(reasoning) ?? asText(delta.reasoning)
    if (thought) hear.reasoning(thought)
    const text = textOf(content)
    if (text) hear.text(text)
    if (Array.isArray(pieces)) for (const piece of pieces) addCallPiece(calls, piece)
  }

  const take = (data: string, declared = false): void => {
    const chunk = parseJson(data)
    if (declared || (isFields(chunk) && chunk.error)) throw serverError(errorWords(chunk, data))
    if (!isFields(chunk)) {
      // A broken object is a part of the answer that is lost; words that never were JSON ("ping") mean nothing.
      if (data.trimStart().startsWith('{')) throw unreadable(data)
      return
    }
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
    if (!isFields(choice)) return
    finish ??= asText(choice.finish_reason)
    takeDelta(choice.delta ?? choice.message)
  }

  const parser = createSseParser(({ event, data }) => {
    if (data === '[DONE]') ended = true
    if (!ended) take(data, event === 'error')
  })

  return {
    push: (bytes) => {
      size += bytes.length
      if (size > MAX_ANSWER_BYTES) throw unreadable('The answer is too long.')
      const first = bytes.find((byte) => byte > 32)
      if (first !== undefined) isPlain ??= first === BRACE
      if (isPlain) plain += decoder.decode(bytes, { stream: true })
      else parser.push(bytes)
    },
    end: () => {
      if (!isPlain) {
        parser.push(BLANK_LINES)
        return
      }
      take(plain)
      ended = true
    },
    state: () => (ended ? 'ended' : finish === undefined ? 'open' : 'finished'),
    calls: () => (finish === 'length' ? [] : calls.filter(({ name }) => name !== '')),
  }
}

/** Content is a text, or a list of parts. */
function textOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return asText(content)
  return content.map((part: unknown) => (isFields(part) ? (asText(part.text) ?? '') : '')).join('')
}

/** The server's own words about what went wrong, wherever it puts them, and its status if it tells one. */
function errorWords(chunk: unknown, data: string): { detail: string; status?: number } {
  const fields = isFields(chunk) ? chunk : {}
  const error = isFields(fields.error) ? fields.error : fields
  const detail = asText(fields.error) ?? asText(error.message) ?? asText(fields.error_message) ?? data
  return { detail, status: typeof error.code === 'number' ? error.code : undefined }
}
