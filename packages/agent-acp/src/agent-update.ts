/** One `session/update` → what it means here, or `null` for what this client has no use for (ACP, Prompt turn). */
import * as z from 'zod/mini'
import { count, list, part, record, text } from './lenient.js'

/** What one message says about a tool call; absent fields say nothing. */
export interface ToolCallPiece {
  readonly toolCallId: string
  readonly title?: string
  readonly name?: string
  readonly kind?: string
  readonly status?: string
  /** Absent and `null` mean the same here. */
  readonly rawInput?: unknown
  readonly meta?: Record<string, unknown>
  /** Text blocks of its content: one agent shows the arguments nowhere else. */
  readonly texts?: readonly string[]
}

export type AgentUpdate =
  | { readonly kind: 'text' | 'thought' | 'plan'; readonly text: string }
  | { readonly kind: 'tool'; readonly piece: ToolCallPiece }
  | { readonly kind: 'usage'; readonly usedTokens: number }
  | { readonly kind: 'mode'; readonly modeId: string }
  | { readonly kind: 'config'; readonly options: readonly unknown[] }

const toolCall = z.object({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  rawInput: z.optional(z.unknown()),
  content: list,
  _meta: record,
})
const textContent = z.object({
  type: z.literal('content'),
  content: z.object({ type: z.literal('text'), text: z.string() }),
})
const planEntry = part(z.object({ content: z.string(), status: text }))
const update = z.object({
  sessionUpdate: z.string(),
  entries: z.catch(z.optional(z.array(planEntry)), undefined),
  used: count,
  currentModeId: text,
  configOptions: list,
})

/** Of a plan's step as a status line. */
const MAX_STEP_LENGTH = 200

/** A piece of an answer, which is nearly all that comes: told apart before anything else is looked at, without a schema. */
function readSpeech(value: unknown): AgentUpdate | null | undefined {
  if (typeof value !== 'object' || value === null || !('sessionUpdate' in value)) return undefined
  if (value.sessionUpdate === 'agent_message_chunk') return readText('text', value)
  return value.sessionUpdate === 'agent_thought_chunk' ? readText('thought', value) : undefined
}

export function readUpdate(value: unknown): AgentUpdate | null {
  const speech = readSpeech(value)
  if (speech !== undefined) return speech
  const read = update.safeParse(value)
  if (!read.success) return null
  const { sessionUpdate, entries, used, currentModeId, configOptions } = read.data
  switch (sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update': {
      const piece = readToolCall(value)
      return piece && { kind: 'tool', piece }
    }
    case 'plan': {
      const step = entries?.find((entry) => entry?.status === 'in_progress')?.content.trim()
      return step === undefined || step === '' ? null : { kind: 'plan', text: step.slice(0, MAX_STEP_LENGTH) }
    }
    case 'usage_update':
      return used === undefined ? null : { kind: 'usage', usedTokens: used }
    case 'current_mode_update':
      return currentModeId === undefined ? null : { kind: 'mode', modeId: currentModeId }
    case 'config_option_update':
      return configOptions === undefined ? null : { kind: 'config', options: configOptions }
    default:
      return null
  }
}

/** Of a `tool_call`, a `tool_call_update`, or a permission request. `null`: not even an id. */
export function readToolCall(value: unknown): ToolCallPiece | null {
  const read = toolCall.safeParse(value)
  if (!read.success) return null
  const { toolCallId, title, name, kind, status, rawInput, content, _meta } = read.data
  const texts = content?.flatMap((block) => {
    const part = textContent.safeParse(block)
    return part.success ? [part.data.content.text] : []
  })
  return { toolCallId, title, name, kind, status, rawInput: rawInput ?? undefined, meta: _meta, texts }
}

function readText(kind: 'text' | 'thought', value: object): AgentUpdate | null {
  const content = 'content' in value ? value.content : undefined
  if (typeof content !== 'object' || content === null || !('type' in content) || !('text' in content)) return null
  const { type, text } = content
  return type === 'text' && typeof text === 'string' && text !== '' ? { kind, text } : null
}
