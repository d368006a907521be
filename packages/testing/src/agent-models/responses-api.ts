/** OpenAI's Responses API, as far as Codex uses it. */
import * as z from 'zod/mini'
import type { AgentModelStep, AgentModelTurn } from './agent-script.js'
import { type ModelApi, openEvents, textOf } from './model-api.js'

const item = z.looseObject({
  type: z._default(z.string(), 'message'),
  role: z.optional(z.string()),
  content: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
})
const tool = z.looseObject({ name: z.optional(z.string()), type: z.string(), tools: z.optional(z.array(z.unknown())) })
const request = z.looseObject({ input: z.array(item), tools: z._default(z.array(tool), []) })

/** Between a namespace and a tool's name in what the script sees; no name has it. */
const IN_NAMESPACE = '/_'

export const responsesApi: ModelApi = {
  name: 'responses',
  read: (path, body) => {
    if (!/\/responses$/.test(path)) return null
    const { input, tools } = request.parse(body)
    return { turns: input.flatMap(turnOf), tools: tools.flatMap(namesOf), stream: true }
  },
  write: (response, steps) => {
    const send = openEvents(response)
    const event = (type: string, more: object): void => {
      send({ type, ...more }, type)
    }
    const id = `resp_${crypto.randomUUID()}`
    event('response.created', { response: { id } })
    const isStalled = steps.some((step) => 'stall' in step)
    steps.flatMap(itemOf).forEach((output, index) => {
      event('response.output_item.added', { output_index: index, item: { ...output, content: [] } })
      if (output.type === 'message')
        event('response.output_text.delta', { output_index: index, delta: output.content[0].text })
      if (!isStalled) event('response.output_item.done', { output_index: index, item: output })
    })
    if (isStalled) return
    const usage = {
      input_tokens: 10,
      input_tokens_details: null,
      output_tokens: 5,
      output_tokens_details: null,
      total_tokens: 15,
    }
    event('response.completed', { response: { id, usage } })
  },
}

function namesOf({ name, type, tools = [] }: z.infer<typeof tool>): string[] {
  // The service's own tools have a kind only, web search for one.
  if (type !== 'namespace') return [name ?? type]
  return tools.flatMap((each) => {
    const read = tool.safeParse(each)
    return read.success && read.data.name !== undefined ? [`${name}${IN_NAMESPACE}${read.data.name}`] : []
  })
}

function turnOf({ type, role, content, output }: z.infer<typeof item>): AgentModelTurn[] {
  if (type.endsWith('_call_output')) return [{ from: 'tools', text: textOf(output) }]
  if (type !== 'message') return []
  if (role === 'assistant') return [{ from: 'model', text: textOf(content) }]
  return role === 'user' ? [{ from: 'user', text: textOf(content) }] : []
}

type Item =
  | { type: 'message'; id: string; role: 'assistant'; content: [{ type: 'output_text'; text: string }] }
  | { type: 'function_call'; id: string; call_id: string; name: string; namespace?: string; arguments: string }

function itemOf(step: AgentModelStep): Item[] {
  const id = crypto.randomUUID()
  if ('say' in step)
    return [{ type: 'message', id: `msg_${id}`, role: 'assistant', content: [{ type: 'output_text', text: step.say }] }]
  if (!('call' in step)) return []
  const [first = '', second] = step.call.split(IN_NAMESPACE)
  const names = second === undefined ? { name: first } : { namespace: first, name: second }
  const call = { id: `fc_${id}`, call_id: `call_${id}`, arguments: JSON.stringify(step.args) }
  return [{ type: 'function_call', ...call, ...names }]
}
