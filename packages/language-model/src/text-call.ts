/**
 * Local models sometimes write a tool call as JSON into their text. This holds such a text back while it may be one,
 * and at the end says whether it is exactly one call of a known tool. Anything else is text, and let go as early as it is clear.
 */
import type { JsonObject } from '@leuria/agent'

/** A text longer than this is shown, whatever it may be. */
const MAX_HELD_LENGTH = 32_768

/** What may stand around the JSON: a fence, or the tags that models were trained on (Hermes and Qwen; Mistral). */
const WRAPPERS = [
  { open: /^```(?:json|tool_call|tool_code)?\s*/, close: /\s*```$/ },
  { open: /^<tool_call>\s*/, close: /\s*<\/tool_call>$/ },
  { open: /^\[TOOL_CALLS\]\s*/, close: /$/ },
] as const
const BEGINNINGS = ['{', '[{', '```json', '```tool_call', '```tool_code', '```\n', '<tool_call>', '[TOOL_CALLS]']

/** Every key that such a call may have. Another one, and it is an answer in JSON. */
const CALL_KEYS = new Set([
  'name',
  'tool',
  'tool_name',
  'function',
  'type',
  'id',
  'arguments',
  'parameters',
  'args',
  'input',
])

export interface TextCall {
  name: string
  arguments: JsonObject
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export class TextCallCatcher {
  #held = ''
  #letGo: boolean

  /** @param isTool tells names that were offered; null when no tools are: then nothing is held */
  constructor(private readonly isTool: ((name: string) => boolean) | null) {
    this.#letGo = isTool === null
  }

  /** The text that may be shown. */
  push(piece: string): string {
    if (this.#letGo) return piece
    this.#held += piece
    return mayBeCall(this.#held) ? '' : this.release()
  }

  /** Gives up: whatever was held is text, and so is all that follows. */
  release(): string {
    this.#letGo = true
    const held = this.#held
    this.#held = ''
    return held
  }

  /** The answer is over: a call, or the text that was held. */
  end(): { call: TextCall | null; text: string } {
    const { isTool } = this
    const call = this.#held === '' || isTool === null ? null : readTextCall(this.#held, isTool)
    return call === null ? { call, text: this.release() } : { call, text: '' }
  }
}

/** Whether what came so far can still become a call. */
function mayBeCall(text: string): boolean {
  if (text.length > MAX_HELD_LENGTH) return false
  const start = text.trimStart()
  if (!BEGINNINGS.some((beginning) => start.startsWith(beginning) || beginning.startsWith(start))) return false
  if (/^[^{]*\{\s*[^\s"]/.test(start)) return false
  const key = /^[^{"]*\{\s*"([^"]*)"/.exec(start)?.[1]
  return key === undefined || CALL_KEYS.has(key)
}

function unwrap(text: string): string {
  const wrapper = WRAPPERS.find(({ open }) => open.test(text))
  return wrapper === undefined ? text : text.replace(wrapper.open, '').replace(wrapper.close, '')
}

/** `null`: not exactly one call of a known tool. */
export function readTextCall(text: string, isTool: (name: string) => boolean): TextCall | null {
  const parsed = parse(unwrap(text.trim()))
  const value: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed
  if (!isObject(value) || !Object.keys(value).every((key) => CALL_KEYS.has(key))) return null
  if (value['type'] !== undefined && value['type'] !== 'function') return null
  const about = isObject(value['function']) ? value['function'] : value
  const name = about['name'] ?? about['tool'] ?? about['tool_name'] ?? about['function']
  const args = objectOf(about['arguments'] ?? about['parameters'] ?? about['args'] ?? about['input'])
  return typeof name === 'string' && isTool(name) && args !== null ? { name, arguments: args } : null
}

/** An object, or the text of one. */
function objectOf(value: unknown): JsonObject | null {
  const object: unknown = typeof value === 'string' ? parse(value) : value
  return isObject(object) ? object : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
