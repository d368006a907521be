/**
 * A model server on a real socket that says exactly what a test scripted: OpenAI-compatible chat completions and models.
 * It drops, stalls and misbehaves on request, and remembers what it was asked and who hung up.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelQuirks, ModelStep } from './model-script.js'
import { wireActions } from './model-wire.js'
import { findChatFault } from './strict-chat-api.js'

/** Steps; or a function that drives the exchange by hand (it may keep it for later); or nothing: the test does it all. */
export type ModelAnswer = readonly ModelStep[] | ((exchange: ModelExchange) => void | Promise<void>) | 'by_hand'

/** A chat request as it was parsed. Fields are what the caller sent: check them. */
export interface ChatRequestBody {
  model?: unknown
  messages?: unknown
  tools?: unknown
  [key: string]: unknown
}

/** One chat request and its answer. */
export interface ModelExchange {
  readonly headers: IncomingHttpHeaders
  readonly body: ChatRequestBody
  /** Sends steps as the server would; the answer ends with them unless they stall. */
  play(steps: readonly ModelStep[]): Promise<void>
  /** Sends these bytes as one write (status 200, `text/event-stream`) and lets them arrive before it resolves. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Ends the answer in order. */
  end(): void
  /** Cuts the connection. */
  drop(): void
  /** Resolves when the connection is closed, whoever did it. */
  readonly closed: Promise<void>
  /** True once the caller hung up before the answer was complete. */
  readonly closedEarly: boolean
}

/** A request as a service's own routes see it. */
export interface NativeRequest {
  method: string
  /** Without the query. */
  path: string
  /** What was posted, parsed; undefined for a GET. */
  body: unknown
  /** Resolves when the caller has hung up. */
  closed: Promise<void>
}
/** Status 200 unless it says otherwise; or no answer at all. */
export type NativeReply = { status?: number; body: unknown } | 'drop' | 'stall'

export interface ScriptedModelServerOptions {
  /** A service's own routes, asked before the common ones; `null` leaves a request to those. */
  routes?: (request: NativeRequest) => NativeReply | null | Promise<NativeReply | null>
  /** Answers for the requests to come, in order. */
  answers?: readonly ModelAnswer[]
  /** The answer when none is left. @default says "OK" */
  otherwise?: ModelAnswer
  quirks?: ModelQuirks
  /** What `GET /models` lists: ids, or entries with a server's own fields. `null`: it answers 404. @default ['test-model'] */
  models?: readonly (string | Record<string, unknown>)[] | null
  /** When set, requests without this bearer key get 401. */
  key?: string
  /** Answers 400 to what some real API would refuse (see `findChatFault`). @default true */
  strict?: boolean
  /** @default 0: a free one */
  port?: number
}

export interface ScriptedModelServer {
  /** With version segment: `http://127.0.0.1:<port>/v1`. */
  readonly url: string
  readonly port: number
  /** Chat requests, in order of arrival. */
  readonly exchanges: readonly ModelExchange[]
  /** Method and path of every request, `/models` included. */
  readonly requests: readonly string[]
  /** What the strict check refused, in words; empty is what a test wants to see. */
  readonly faults: readonly string[]
  /** May be changed between requests. */
  quirks: ModelQuirks
  /** Adds answers for the requests to come. */
  answer(...answers: readonly ModelAnswer[]): void
  /** Resolves with chat request number `count` (1-based) as soon as it is here. */
  exchange(count: number): Promise<ModelExchange>
  /** Cuts every connection and stops listening. Idempotent. */
  close(): Promise<void>
}

/** A request body that JSON can't hold more of than this is not from us (16 MB of attachments as base64, and room). */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_REQUEST_BYTES) throw new Error('The request is too large.')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Two turns of the event loop on each side of a loopback socket: what was written has been read by then. */
const ARRIVAL_TURNS = 4

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

class Exchange implements ModelExchange {
  readonly closed: Promise<void>
  closedEarly = false

  constructor(
    readonly headers: IncomingHttpHeaders,
    readonly body: ChatRequestBody,
    private readonly answer: { response: ServerResponse; quirks: () => ModelQuirks; newCallId: () => string },
  ) {
    const { response } = answer
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.closedEarly = !response.writableFinished && !this.#dropped
        resolve()
      })
    })
  }

  #dropped = false

  async play(steps: readonly ModelStep[]): Promise<void> {
    const { response } = this.answer
    const quirks = this.answer.quirks()
    const usageWanted = JSON.stringify(this.body['stream_options'] ?? {}).includes('"include_usage":true')
    const options = { model: String(this.body.model), quirks, usageWanted, newCallId: () => this.answer.newCallId() }
    for (const action of wireActions(steps, options)) {
      if (response.destroyed) return
      if (action.kind === 'head') response.writeHead(action.status, action.headers)
      else if (action.kind === 'bytes') await this.#send(action.bytes, quirks.bytewise === true ? 1 : 0)
      else if (action.kind === 'end') this.end()
      else if (action.kind === 'drop') this.drop()
    }
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    if (!this.answer.response.headersSent) this.answer.response.writeHead(200, { 'content-type': 'text/event-stream' })
    await this.#send(bytes, ARRIVAL_TURNS)
  }

  async #send(bytes: string | Uint8Array, turns: number): Promise<void> {
    const { response } = this.answer
    await new Promise<void>((resolve) => {
      if (response.destroyed) resolve()
      else response.write(bytes, () => resolve())
    })
    await pass(turns)
  }

  end(): void {
    this.answer.response.end()
  }

  drop(): void {
    this.#dropped = true
    this.answer.response.destroy()
  }
}

/** Starts a server. `close` it when the test is over. */
export async function scriptedModelServer(options: ScriptedModelServerOptions = {}): Promise<ScriptedModelServer> {
  const answers = [...(options.answers ?? [])]
  const exchanges: Exchange[] = []
  const requests: string[] = []
  const faults: string[] = []
  const waiting: { count: number; resolve: (exchange: ModelExchange) => void }[] = []
  let calls = 0

  const chat = async (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> => {
    const fault = options.strict === false ? null : findChatFault(body)
    if (fault !== null) {
      faults.push(fault)
      sendJson(response, 400, { error: { message: fault, type: 'invalid_request_error' } })
      return
    }
    const exchange = new Exchange(request.headers, body as ChatRequestBody, {
      response,
      quirks: () => server.quirks,
      newCallId: () => `call_${(calls += 1)}`,
    })
    exchanges.push(exchange)
    for (const waiter of waiting) if (waiter.count === exchanges.length) waiter.resolve(exchange)
    const answer = answers.shift() ?? options.otherwise ?? [{ say: 'OK' }]
    if (typeof answer === 'function') await answer(exchange)
    else if (answer !== 'by_hand') await exchange.play(answer)
  }

  const answerNative = async (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<boolean> => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    const path = (request.url ?? '').split('?')[0] ?? ''
    const reply = (await options.routes?.({ method: request.method ?? '', path, body, closed })) ?? null
    if (reply === null) return false
    if (reply === 'drop') response.destroy()
    else if (reply !== 'stall') sendJson(response, reply.status ?? 200, reply.body)
    return true
  }

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`)
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      sendJson(response, 401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } })
      return
    }
    const body = request.method === 'POST' ? await readJson(request) : undefined
    if (await answerNative(request, response, body)) return
    if (request.method === 'GET' && request.url?.endsWith('/models') === true && options.models !== null) {
      const data = (options.models ?? ['test-model']).map((model) =>
        typeof model === 'string' ? { id: model, object: 'model' } : { object: 'model', ...model },
      )
      sendJson(response, 200, { object: 'list', data })
    } else if (request.method === 'POST' && request.url?.endsWith('/chat/completions') === true) {
      await chat(request, response, body)
    } else sendJson(response, 404, { error: { message: 'Not found' } })
  }

  const http = createServer((request, response) => {
    response.on('error', () => undefined)
    route(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = http.address() as AddressInfo

  const server: ScriptedModelServer = {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    exchanges,
    requests,
    faults,
    quirks: { ...options.quirks },
    answer: (...more) => void answers.push(...more),
    exchange(count) {
      const exchange = exchanges[count - 1]
      if (exchange !== undefined) return Promise.resolve(exchange)
      return new Promise((resolve) => waiting.push({ count, resolve }))
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => {
          resolve()
        })
        http.closeAllConnections()
      }),
  }
  return server
}
