/**
 * Reads one object of a reply: a chunk of a stream, or a whole answer in the same shape. Nothing in it is trusted;
 * what has the wrong type counts as absent. Hand-written instead of a schema: this runs for every token.
 */
import type { ModelUsage } from './chat-model.js'

/** A piece of a tool call, fields as they came; absent ones are undefined. */
export interface CallDelta {
  index?: number
  id?: string
  name?: string
  /** Text to append, or a whole object. */
  arguments?: string | Readonly<Record<string, unknown>>
}

export interface AnswerChunk {
  /** It had a choice; a chunk without one carries usage or nothing. */
  hasChoice: boolean
  text: string
  thought: string
  /** The words of a refusal that the server sent apart from the text. */
  refusal: string
  calls: readonly CallDelta[]
  finish: string | null
  usage: ModelUsage | null
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const NO_CALLS: readonly CallDelta[] = []

/** `null`: not an object, so not a chunk. */
export function readAnswerChunk(value: unknown): AnswerChunk | null {
  if (!isFields(value)) return null
  const chunk: AnswerChunk = {
    hasChoice: false,
    text: '',
    thought: '',
    refusal: '',
    calls: NO_CALLS,
    finish: null,
    usage: isFields(value['usage']) ? readUsage(value['usage']) : null,
  }
  const choices = value['choices']
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  if (!isFields(choice)) return chunk
  chunk.hasChoice = true
  if (isText(choice['finish_reason'])) chunk.finish = choice['finish_reason']
  const delta = isFields(choice['delta']) ? choice['delta'] : choice['message']
  if (isFields(delta)) readDelta(delta, chunk)
  else if (isText(choice['text'])) chunk.text = choice['text']
  return chunk
}

function readDelta(delta: Fields, chunk: AnswerChunk): void {
  const { content, reasoning_content: reasoningContent, reasoning, refusal } = delta
  if (typeof content === 'string') chunk.text = content
  else if (Array.isArray(content)) readParts(content, chunk)
  // Some servers send both spellings with the same text.
  if (isText(reasoningContent)) chunk.thought += reasoningContent
  else if (isText(reasoning)) chunk.thought += reasoning
  if (isText(refusal)) chunk.refusal = refusal
  if (Array.isArray(delta['tool_calls'])) chunk.calls = delta['tool_calls'].filter(isFields).map(readCall)
  // The shape before `tool_calls`; old local servers still send it.
  else if (isFields(delta['function_call'])) chunk.calls = [readCall({ index: 0, function: delta['function_call'] })]
}

/** Content as a list of parts: text, and Mistral's `thinking`, whose own content is such a list. */
function readParts(parts: readonly unknown[], chunk: AnswerChunk): void {
  for (const part of parts) {
    if (typeof part === 'string') chunk.text += part
    else if (isFields(part)) {
      const { type, text, thinking } = part
      const thought = type === 'thinking' || type === 'reasoning'
      if (thought) chunk.thought += plainText(thinking ?? text)
      else if (isText(text)) chunk.text += text
    }
  }
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(plainText).join('')
  return isFields(value) && isText(value['text']) ? value['text'] : ''
}

function readCall(call: Fields): CallDelta {
  // Some servers leave out the `function` wrapper.
  const about = isFields(call['function']) ? call['function'] : call
  const { index, id } = call
  const { name, arguments: args } = about
  return {
    ...(typeof index === 'number' ? { index } : {}),
    ...(isText(id) ? { id } : {}),
    ...(isText(name) ? { name } : {}),
    ...(typeof args === 'string' || isFields(args) ? { arguments: args } : {}),
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

function readUsage(usage: Fields): ModelUsage | null {
  const { prompt_tokens: input, completion_tokens: output } = usage
  if (!isCount(input) && !isCount(output)) return null
  return { ...(isCount(input) ? { inputTokens: input } : {}), ...(isCount(output) ? { outputTokens: output } : {}) }
}
