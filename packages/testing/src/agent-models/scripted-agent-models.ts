/**
 * A model server on loopback that real agents accept in place of their own service: Anthropic's, OpenAI's (Responses)
 * and Google's APIs at one address. What it says is scripted in the prompt (`agent-script.ts`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicApi } from './anthropic-api.js'
import { type AgentModelStep, nextSteps, offeredAs } from './agent-script.js'
import { geminiApi } from './gemini-api.js'
import { type ModelApi, type ModelQuestion, sendJson, smallestValue } from './model-api.js'
import { responsesApi } from './responses-api.js'

const APIS: readonly ModelApi[] = [anthropicApi, responsesApi, geminiApi]

/** One request of an agent to its model. */
export interface AgentModelRequest {
  readonly api: ModelApi['name']
  readonly tools: readonly string[]
  readonly steps: readonly AgentModelStep[]
  readonly body: unknown
  /** True once the agent hung up before the answer was complete. */
  readonly aborted: boolean
}

export interface ScriptedAgentModels {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** Requests for answers, in order. */
  readonly requests: readonly AgentModelRequest[]
  /** Method and path of everything else that was asked. */
  readonly others: readonly string[]
  close(): Promise<void>
}

/** Starts it on a free port. Whoever started it closes it. */
export async function scriptedAgentModels(): Promise<ScriptedAgentModels> {
  const requests: AgentModelRequest[] = []
  const others: string[] = []
  const server = createServer((request, response) => {
    void answer(request, response, { requests, others })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    others,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

interface Seen {
  readonly requests: AgentModelRequest[]
  readonly others: string[]
}

async function answer(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  const body = parse(await read(request))
  for (const api of APIS) {
    const question = body === null ? null : api.read(path, body)
    if (question === null) continue
    const steps =
      question.schema === undefined ? stepsFor(question) : [{ say: JSON.stringify(smallestValue(question.schema)) }]
    const entry = { api: api.name, tools: question.tools, steps, body, aborted: false }
    seen.requests.push(entry)
    response.once('close', () => (entry.aborted = !response.writableFinished))
    api.write(response, steps, question)
    if (!steps.some((step) => 'stall' in step)) response.end()
    return
  }
  seen.others.push(`${request.method ?? ''} ${path}`)
  sendJson(response, otherAnswer(path))
  response.end()
}

/** Token counts and lists of models; an empty object does for the rest. */
function otherAnswer(path: string): object {
  if (path.endsWith('/count_tokens')) return { input_tokens: 10 }
  if (path.endsWith(':countTokens')) return { totalTokens: 10 }
  return path.endsWith('/models') ? { data: [], models: [], object: 'list' } : {}
}

/** Names as the agent offers them. A tool that isn't offered is named in the answer: tests then say why they fail. */
function stepsFor({ turns, tools }: ModelQuestion): AgentModelStep[] {
  return nextSteps(turns).map((step) => {
    if (!('call' in step) || step.anyway === true) return step
    const name = offeredAs(step.call, tools)
    return name === null ? { say: `No tool ${step.call} among: ${tools.join(', ')}` } : { ...step, call: name }
  })
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
