/**
 * The kit's own engine: correct, small, and with a log of all that reaches it. Clients are checked against it; with defects
 * switched on it is what the kit itself is tested with. Not for visitors: its AI is a script, its grants are gone with it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_LIVE_SESSIONS, PREFLIGHT_MAX_AGE_S, readRegistrationToken } from '@leuria/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { PAGE_TIMES, type PageTimes } from '../page-times.js'
import { admit, type Admission, tokenOf } from './caller-gate.js'
import type { EngineDefect } from './defects.js'
import { EngineLog, type LoggedRequest } from './engine-log.js'
import { fieldsIn } from './fake-channel.js'
import { FakePairing } from './fake-pairing.js'
import { answerRoute, fail, type FakeReply } from './fake-routes.js'
import { type FakeAi, FakeSession } from './fake-session.js'
import { readRequest } from './read-request.js'
import { scriptedAi } from './scripted-ai.js'

/** What happens to a request instead of its answer. `drop`: the connection breaks; `hold`: nothing comes. */
export type Interception = 'drop' | 'hold' | { status: number; body?: unknown; silent?: boolean }

export interface FakeEngineOptions {
  /** @default 'page' */
  mode?: 'page' | 'app'
  times?: Partial<PageTimes>
  defects?: readonly EngineDefect[]
  ai?: FakeAi
}

/** Methods and headers of preflights. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Authorization',
  'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_S),
}

export class FakeEngine implements AsyncDisposable {
  readonly log = new EngineLog()
  readonly sessions = new Map<string, FakeSession>()
  readonly pairing: FakePairing
  readonly mode: 'page' | 'app'
  /** What the AI does in a turn; may be changed at any time. */
  ai: FakeAi
  /** Looks at each request of a page before it is answered. */
  intercept: (request: LoggedRequest) => Interception | undefined = () => undefined
  /** Refuses the next tool channels, so many of them. */
  refuseChannels = 0
  readonly #times: PageTimes
  readonly #defects: ReadonlySet<EngineDefect>
  readonly #server: Server
  readonly #sockets = new WebSocketServer({ noServer: true })
  #port = 0

  private constructor(options: FakeEngineOptions) {
    this.mode = options.mode ?? 'page'
    this.ai = options.ai ?? scriptedAi
    this.#times = { ...PAGE_TIMES, ...options.times }
    this.#defects = new Set(options.defects)
    this.pairing = new FakePairing(this.mode, this.#times, this.has)
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy())
    })
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#upgrade(request, socket, head)
    })
  }

  static async start(options: FakeEngineOptions = {}): Promise<FakeEngine> {
    const engine = new FakeEngine(options)
    await new Promise<void>((resolve) => engine.#server.listen(0, '127.0.0.1', resolve))
    const address = engine.#server.address()
    engine.#port = typeof address === 'object' && address !== null ? address.port : 0
    return engine
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  readonly has = (defect: EngineDefect): boolean => this.#defects.has(defect)

  /** Null: the origin has as many as it may. */
  addSession(origin: string, prompt: string | undefined): FakeSession | null {
    const live = [...this.sessions.values()].filter((session) => session.live && session.origin === origin)
    if (live.length >= MAX_LIVE_SESSIONS && !this.has('fifth_session')) return null
    const parts = {
      origin,
      port: this.#port,
      log: this.log,
      times: this.#times,
      has: this.has,
      ai: () => this.ai,
      onGone: () => this.sessions.delete(session.id),
    }
    const session = new FakeSession(parts, prompt)
    this.sessions.set(session.id, session)
    return session
  }

  /** Takes an origin's grant back, as the visitor does. */
  revoke(origin: string): void {
    this.pairing.grants.delete(origin)
    for (const session of this.sessions.values()) if (session.origin === origin) session.end('cancelled')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pairing.close()
    for (const session of this.sessions.values()) session.dispose()
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #admit(request: IncomingMessage): Admission {
    return admit(request, { port: this.#port, mode: this.mode, pairing: this.pairing, has: this.has })
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admission = this.#admit(request)
    if (admission.caller === null) {
      request.resume()
      response.writeHead(403, admission.text === '' ? {} : { 'Content-Type': 'application/json' }).end(admission.text)
      return
    }
    const { caller, cors } = admission
    if (request.method === 'OPTIONS') {
      this.#preflight(response, cors)
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const token = tokenOf(request)
    const method = request.method ?? 'GET'
    const read = await readRequest(request)
    const body = read.ok ? read.body : undefined
    const entry: LoggedRequest = {
      kind: 'request',
      at: performance.now(),
      origin: request.headers.origin,
      method,
      path: pathname,
      token,
      body,
    }
    this.log.add(entry)
    const intercepted = this.intercept(entry)
    if (intercepted !== undefined) {
      this.#intercepted(response, intercepted, cors)
      return
    }
    const reply = read.ok
      ? await answerRoute(this, { method, path: pathname, query: searchParams, caller, token, body })
      : fail(read.status === 400 && this.has('invalid_json_500') ? 500 : read.status, read.error)
    this.#send(response, reply, cors)
  }

  #preflight(response: ServerResponse, cors: Readonly<Record<string, string>>): void {
    const { 'Access-Control-Allow-Private-Network': privateNetwork, ...rest } = cors
    const network =
      privateNetwork === undefined || this.has('no_private_network')
        ? {}
        : { 'Access-Control-Allow-Private-Network': privateNetwork }
    response.writeHead(204, { ...rest, ...network, ...PREFLIGHT }).end()
  }

  #intercepted(response: ServerResponse, what: Interception, cors: Readonly<Record<string, string>>): void {
    if (what === 'drop') response.destroy()
    else if (what !== 'hold' && what.silent === true) response.writeHead(what.status).end()
    else if (what !== 'hold') this.#send(response, { status: what.status, body: what.body ?? {} }, cors)
  }

  #send(response: ServerResponse, reply: FakeReply, cors: Readonly<Record<string, string>>): void {
    if (response.destroyed) return
    if ('stream' in reply) {
      response.writeHead(200, { ...cors, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
      reply.stream.open(response)
      return
    }
    if ('html' in reply) {
      response.writeHead(reply.status, { 'Content-Type': 'text/html; charset=utf-8', ...reply.headers }).end(reply.html)
      return
    }
    const shown = reply.status >= 400 && this.has('bare_errors') ? {} : cors
    const text = reply.body === null ? '' : JSON.stringify(reply.body)
    response.writeHead(reply.status, { ...shown, 'Content-Type': 'application/json' }).end(text)
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const url = new URL(request.url ?? '/', this.url)
    const admission = this.#admit(request)
    const origin = admission.caller?.kind === 'page' ? admission.caller.origin : undefined
    const session = [...this.sessions.values()].find(({ channel }) => channel.path === url.pathname)
    this.log.add({ kind: 'socket', origin, path: url.pathname + url.search, session: session?.id })
    const status = this.#upgradeStatus({ origin, session, path: url.pathname, token: url.searchParams.get('token') })
    if (status !== 101) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (open) => {
      if (session === undefined) this.#serveRegister(open, origin ?? '')
      else session.channel.attach(open)
    })
  }

  #upgradeStatus(asked: {
    origin: string | undefined
    session: FakeSession | undefined
    path: string
    token: string | null
  }): number {
    const { origin, session, path, token } = asked
    if (origin === undefined || !this.pairing.grants.has(origin)) return 403
    if (path === '/webmcp/register') return 101
    if (session === undefined || !session.live || token !== session.channel.token) return 401
    if (session.origin !== origin) return 403
    this.refuseChannels -= 1
    return this.refuseChannels >= 0 ? 503 : 101
  }

  #serveRegister(socket: WebSocket, origin: string): void {
    socket.on('error', () => undefined)
    socket.once('message', (data: Buffer) => {
      const message = fieldsIn(JSON.parse(data.toString()))
      const token = readRegistrationToken(String(message.token))
      const session = [...this.sessions.values()].find(
        (one) => one.live && one.origin === origin && one.innerToken === token,
      )
      const isUsed = session?.registered === true && !this.has('register_twice')
      if (session === undefined || isUsed) {
        socket.send(JSON.stringify({ type: 'error', message: 'The registration token is not valid.' }))
        return
      }
      session.registered = true
      socket.send(
        JSON.stringify({ type: 'registerSuccess', channel: session.channel.path, token: session.channel.token }),
      )
    })
  }
}
