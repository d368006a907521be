/** What a scripted model's server needs of an API: who the request is from, what is in it, how an answer is written. */
import type { ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import type { AgentModelStep, AgentModelTurn } from './agent-script.js'

/** A request as the script sees it. */
export interface ModelQuestion {
  readonly turns: readonly AgentModelTurn[]
  /** Names of the tools on offer. */
  readonly tools: readonly string[]
  readonly stream: boolean
  /** A JSON schema that the answer must satisfy: a question of the agent itself, not of the visitor. */
  readonly schema?: unknown
}

export interface ModelApi {
  readonly name: 'anthropic' | 'responses' | 'gemini'
  /** Null: not of this API. */
  read(path: string, body: unknown): ModelQuestion | null
  /** Everything but the end of the connection. */
  write(response: ServerResponse, steps: readonly AgentModelStep[], question: ModelQuestion): void
}

const looseText = z.looseObject({ text: z.string() })

/** The words in a message's content, however its pieces are called. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) {
    const read = looseText.safeParse(content)
    return read.success ? read.data.text : ''
  }
  return content.map(textOf).join('')
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write(JSON.stringify(body))
}

/** Opens a stream of server-sent events; gives the function that writes one. */
export function openEvents(response: ServerResponse): (data: object, event?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return (data, event) => {
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
  }
}

const schemaShape = z.looseObject({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  properties: z.optional(z.record(z.string(), z.unknown())),
})

/** A small value that satisfies a simple schema: agents ask their model questions of their own this way. */
export function smallestValue(schema: unknown): unknown {
  const read = schemaShape.safeParse(schema)
  if (!read.success) return null
  const { type = '', enum: choices, properties = {} } = read.data
  // Who speaks next, after an answer? The user: else an agent goes on by itself.
  if (choices !== undefined) return choices.includes('user') ? 'user' : choices[0]
  const kind = type.toLowerCase()
  if (kind === 'object' || Object.keys(properties).length > 0)
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, smallestValue(part)]))
  return { string: '', number: 0, integer: 0, boolean: false, array: [] }[kind] ?? null
}
