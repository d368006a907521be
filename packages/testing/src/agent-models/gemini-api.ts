/** Google's Gemini API, as far as the Gemini CLI uses it. */
import * as z from 'zod/mini'
import type { AgentModelStep, AgentModelTurn } from './agent-script.js'
import { type ModelApi, openEvents, sendJson, textOf } from './model-api.js'

const part = z.looseObject({
  text: z.optional(z.string()),
  functionResponse: z.optional(z.looseObject({ response: z.unknown() })),
})
const request = z.looseObject({
  contents: z.array(z.looseObject({ role: z._default(z.string(), 'user'), parts: z._default(z.array(part), []) })),
  tools: z._default(
    z.array(z.looseObject({ functionDeclarations: z._default(z.array(z.looseObject({ name: z.string() })), []) })),
    [],
  ),
  generationConfig: z._default(
    z.looseObject({ responseSchema: z.optional(z.unknown()), responseJsonSchema: z.optional(z.unknown()) }),
    {},
  ),
})

export const geminiApi: ModelApi = {
  name: 'gemini',
  read: (path, body) => {
    const method = /:(streamGenerateContent|generateContent)$/.exec(path)?.[1]
    if (method === undefined) return null
    const { contents, tools, generationConfig } = request.parse(body)
    return {
      turns: contents.flatMap(turnOf),
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      stream: method === 'streamGenerateContent',
      schema: generationConfig.responseJsonSchema ?? generationConfig.responseSchema,
    }
  },
  write: (response, steps, { stream }) => {
    const parts = steps.flatMap(partOf)
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
    const answer = (some: object[], finishReason?: string): object => ({
      candidates: [
        { content: { role: 'model', parts: some }, index: 0, ...(finishReason !== undefined && { finishReason }) },
      ],
      modelVersion: 'scripted',
      usageMetadata,
    })
    if (!stream) {
      sendJson(response, answer(parts, 'STOP'))
      return
    }
    const send = openEvents(response)
    const isStalled = steps.some((step) => 'stall' in step)
    parts.forEach((each, index) => {
      send(answer([each], index === parts.length - 1 && !isStalled ? 'STOP' : undefined))
    })
    if (parts.length === 0 && !isStalled) send(answer([{ text: '' }], 'STOP'))
  },
}

function turnOf({ role, parts }: { role: string; parts: z.infer<typeof part>[] }): AgentModelTurn[] {
  const text = parts.map((each) => each.text ?? '').join('')
  if (role === 'model') return [{ from: 'model', text }]
  const results = parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []))
  if (results.length === 0) return [{ from: 'user', text }]
  return [{ from: 'tools', text: results.map((result) => textOf(result) || JSON.stringify(result)).join('') }]
}

function partOf(step: AgentModelStep): object[] {
  if ('say' in step) return [{ text: step.say }]
  if ('think' in step) return [{ text: step.think, thought: true }]
  return 'call' in step ? [{ functionCall: { name: step.call, args: step.args } }] : []
}
