/** What a scripted model does when nobody wrote it a script: it uses the tools it is offered, then says what came back. */
import type { ModelStep } from './model-script.js'
import type { ChatRequestBody } from './scripted-model-server.js'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return records(content)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

/** The tool whose name shares most words with the question; the first one if none does. */
function pickTool(tools: readonly Record<string, unknown>[], question: string): Record<string, unknown> | undefined {
  const asked = new Set(question.toLowerCase().split(/[^a-z]+/))
  const score = (tool: Record<string, unknown>): number =>
    String(tool['name'])
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '' && [...asked].some((other) => other !== '' && word.startsWith(other))).length
  return [...tools].sort((a, b) => score(b) - score(a))[0]
}

/** Every required text gets the question; other required values get something of their type. */
function fillArguments(schema: Record<string, unknown>, question: string): Record<string, unknown> {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const properties = record(schema['properties'])
  const samples: Record<string, unknown> = { number: 1, integer: 1, boolean: true, array: [], object: {} }
  return Object.fromEntries(
    required.map((name) => [name, samples[String(record(properties[name])['type'])] ?? question]),
  )
}

/** Steps that answer `body` in a sensible way. */
export function autoAnswer(body: ChatRequestBody): ModelStep[] {
  const messages = records(body.messages)
  const last = messages.at(-1) ?? {}
  if (last['role'] === 'tool') return [{ say: ['The tool says: ', textOf(last['content'])] }]
  const question = textOf(last['content'])
  const tools = body['tool_choice'] === 'none' ? [] : records(body.tools).map((tool) => record(tool['function']))
  const tool = pickTool(tools, question)
  if (tool === undefined) return [{ say: ['You said: ', question] }]
  return [{ call: { name: String(tool['name']), arguments: fillArguments(record(tool['parameters']), question) } }]
}
