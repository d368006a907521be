/** Anthropic's Messages API, as far as Claude Code uses it. */
import * as z from 'zod/mini'
import type { AgentModelStep, AgentModelTurn } from './agent-script.js'
import { type ModelApi, openEvents, sendJson, textOf } from './model-api.js'

const block = z.looseObject({ type: z.string(), content: z.optional(z.unknown()) })
const request = z.looseObject({
  model: z._default(z.string(), 'scripted'),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z._default(z.array(z.looseObject({ name: z.string() })), []),
  stream: z._default(z.boolean(), false),
})

export const anthropicApi: ModelApi = {
  name: 'anthropic',
  read: (path, body) => {
    if (!/\/v1\/messages$/.test(path)) return null
    const { messages, tools, stream } = request.parse(body)
    return { turns: messages.flatMap(turnOf), tools: tools.map(({ name }) => name), stream }
  },
  write: (response, steps, { stream }) => {
    const content = steps.flatMap(contentOf)
    const stop = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
    const message = {
      id: `msg_${unique()}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      stop_sequence: null,
    }
    const usage = { input_tokens: 10, output_tokens: 5 }
    if (!stream) {
      sendJson(response, { ...message, content, stop_reason: stop, usage })
      return
    }
    const send = openEvents(response)
    const event = (data: { type: string; [key: string]: unknown }): void => {
      send(data, data.type)
    }
    event({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } })
    content.forEach((part, index) => {
      for (const data of eventsOf(part)) event({ ...data, index })
      event({ type: 'content_block_stop', index })
    })
    if (steps.some((step) => 'stall' in step)) return
    event({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage })
    event({ type: 'message_stop' })
  },
}

function turnOf({ role, content }: { role: string; content: unknown }): AgentModelTurn[] {
  if (role === 'assistant') return [{ from: 'model', text: textOf(content) }]
  if (role !== 'user') return []
  const blocks = z.array(block).safeParse(content)
  const results = blocks.success ? blocks.data.filter(({ type }) => type === 'tool_result') : []
  if (results.length === 0) return [{ from: 'user', text: textOf(content) }]
  return [{ from: 'tools', text: results.map((result) => textOf(result.content)).join('') }]
}

type Part = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown }

function contentOf(step: AgentModelStep): Part[] {
  if ('say' in step) return [{ type: 'text', text: step.say }]
  return 'call' in step ? [{ type: 'tool_use', id: `toolu_${unique()}`, name: step.call, input: step.args }] : []
}

function eventsOf(part: Part): { type: string; [key: string]: unknown }[] {
  const [start, delta] =
    part.type === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: part.text },
        ]
      : [
          { ...part, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(part.input) },
        ]
  return [
    { type: 'content_block_start', content_block: start },
    { type: 'content_block_delta', delta },
  ]
}

function unique(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 20)
}
