/**
 * One channel's MCP endpoint (`/webmcp/mcp`, Page tools, The AI's side): streamable HTTP, 2025 and 2026 eras.
 * Decides which way a request takes: the quick one, an SDK session, or the SDK's own stateless handling.
 */
import type { IncomingMessage } from 'node:http'
import type { PageTools } from '@leuria/agent'
import { hasMoreParts } from '@leuria/protocol'
import type { RelayContext } from '../relay-context.js'
import { MAX_JSON_PARTS } from '../relay-limits.js'
import { LateAnswer, sendJson } from './late-answer.js'
import { RPC } from './mcp-fault.js'
import { isOperation } from './operations.js'
import { type Exchange, QuickCalls } from './quick-calls.js'
import { errorText, readPlainMessage, type RpcMessage } from './rpc-message.js'
import { SdkServer } from './sdk-server.js'

export class McpEndpoint {
  readonly #context: RelayContext
  readonly #tools: PageTools
  readonly #quick: QuickCalls
  #loading: Promise<SdkServer> | null = null
  #loaded: SdkServer | null = null
  #closed = false

  constructor(context: RelayContext, tools: PageTools) {
    this.#context = context
    this.#tools = tools
    this.#quick = new QuickCalls(context, tools)
  }

  /** Calls being answered the quick way, and open MCP sessions. */
  get open(): number {
    return this.#quick.running + (this.#loaded?.sessions.size ?? 0)
  }

  /** A POST whose body was read. */
  async post(exchange: Exchange, text: string): Promise<void> {
    let body: unknown
    if (hasMoreParts(text, MAX_JSON_PARTS)) {
      const message = `A request may have at most ${MAX_JSON_PARTS} objects and lists.`
      sendJson(exchange.response, errorText(null, { code: RPC.refused, message }), { status: 413 })
      return
    }
    try {
      body = JSON.parse(text)
    } catch {
      const error = { code: RPC.parseError, message: 'Parse error: the body is not JSON.' }
      sendJson(exchange.response, errorText(null, error), { status: 400 })
      return
    }
    await this.#route(exchange, body)
  }

  /** GET opens a session's stream of notifications, DELETE ends a session; without a session there is neither. */
  async getOrDelete(exchange: Exchange): Promise<void> {
    const session = sessionIdOf(exchange.request)
    if (session === '') {
      const text = errorText(null, { code: RPC.refused, message: 'Method not allowed without a session.' })
      sendJson(exchange.response, text, { status: 405, headers: { allow: 'POST' } })
      return
    }
    if (this.#loaded?.sessions.touch(session) !== true) {
      refuseSession(exchange)
      return
    }
    await this.#useSdk(exchange, (sdk, request) => sdk.sessions.handle(session, request, undefined))
  }

  /** Ends all sessions and streams; the tools have ended before, so that calls still get their last words. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    await new Promise((resolve) => setImmediate(resolve))
    await this.#loaded?.close()
  }

  async #route(exchange: Exchange, body: unknown): Promise<void> {
    const session = sessionIdOf(exchange.request)
    if (session !== '' && this.#loaded?.sessions.touch(session) !== true) {
      refuseSession(exchange)
      return
    }
    const message = readPlainMessage(body, exchange.request)
    if (message?.id !== undefined && message.method !== 'initialize') {
      if (session === '' || isOperation(message.method)) {
        await this.#quick.answer(exchange, { id: message.id, method: message.method, params: message.params, session })
        return
      }
    } else if (message !== null && message.id === undefined && this.#takeNotification(message, session)) {
      exchange.response.writeHead(202).end()
      return
    }
    await this.#useSdk(exchange, async (sdk, request) => {
      if (session !== '') return sdk.sessions.handle(session, request, body)
      return message?.method === 'initialize' ? sdk.sessions.open(request, body) : sdk.fetch(request, body)
    })
  }

  /** True: nothing more to do. Other notifications of a session are the SDK's. */
  #takeNotification({ method, params }: RpcMessage, session: string): boolean {
    return (method === 'notifications/cancelled' && this.#quick.cancel(session, params.requestId)) || session === ''
  }

  async #useSdk(
    exchange: Exchange,
    ask: (sdk: SdkServer, request: Request) => Promise<Response | null>,
  ): Promise<void> {
    const { request, response } = exchange
    const left = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished) left.abort()
    })
    if (response.destroyed) left.abort()
    const { clock, limits } = this.#context
    const answer = new LateAnswer(request, response, { clock, keepAliveMs: limits.keepAliveMs })
    try {
      const sdk = await this.#load()
      const made = await ask(sdk, webRequest(request, left.signal))
      if (made === null) answer.end(SESSION_NOT_FOUND, 404)
      else await answer.endWith(made)
    } catch (error) {
      this.#context.log(`MCP failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      answer.end(
        errorText(null, { code: RPC.internalError, message: 'The engine could not answer this request.' }),
        500,
      )
    }
  }

  async #load(): Promise<SdkServer> {
    this.#loading ??= SdkServer.load(this.#context, this.#tools).catch((error: unknown) => {
      this.#loading = null
      throw error
    })
    const sdk = await this.#loading
    this.#loaded = sdk
    if (this.#closed) await sdk.close()
    return sdk
  }
}

const SESSION_NOT_FOUND = errorText(null, { code: RPC.sessionNotFound, message: 'Session not found' })

function refuseSession({ response }: Exchange): void {
  sendJson(response, SESSION_NOT_FOUND, { status: 404 })
}

function sessionIdOf({ headers }: IncomingMessage): string {
  const id = headers['mcp-session-id']
  return typeof id === 'string' ? id : ''
}

/**
 * The request as the SDK's web-standard side wants it. Its body is handed over parsed. What it accepts is widened to
 * what the standard asks clients to accept: plain clients forget, and get plain JSON anyway.
 */
function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !SKIPPED_HEADERS.has(name)) headers.set(name, value)
  }
  if (request.method !== 'GET') headers.set('accept', 'application/json, text/event-stream')
  if (request.method === 'POST') headers.set('content-type', 'application/json')
  return new Request('http://127.0.0.1/webmcp/mcp', { method: request.method ?? 'POST', headers, signal })
}

/** They describe a body that isn't passed on, or are forbidden to web requests. */
const SKIPPED_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'host',
  'expect',
])
