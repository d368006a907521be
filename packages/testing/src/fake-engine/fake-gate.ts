/** The HTTP side of a fake engine: who is answered at all, the routes, and the faults that a test ordered. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLive, MAX_LIVE_SESSIONS } from '@leuria/protocol'
import type { FakeEngineState } from './fake-engine.js'
import type { Reply } from './fake-pairing.js'
import { FakeSession } from './fake-session.js'

/** A request, read once. */
export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  origin: string | undefined
  token: string | undefined
  body: Record<string, unknown>
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const value: unknown = text === '' ? {} : JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export async function readRequest(request: IncomingMessage): Promise<FakeRequest> {
  const url = new URL(request.url ?? '/', 'http://engine')
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    origin: request.headers.origin,
    token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1],
    body: await readBody(request),
  }
}

function corsHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-allow-private-network': 'true',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'Content-Type, Authorization',
    'access-control-max-age': '600',
  }
}

function send(response: ServerResponse, reply: Reply, origin: string | undefined): void {
  if (reply.status === 0) {
    response.destroy()
    return
  }
  response.writeHead(reply.status, { ...corsHeaders(origin), 'content-type': 'application/json' })
  response.end(reply.body === undefined ? '' : JSON.stringify(reply.body))
}

/** Answers one request. */
export async function answer(state: FakeEngineState, request: FakeRequest, response: ServerResponse): Promise<void> {
  const { origin } = request
  const line = `${request.method} ${request.path}`
  const hold = takeFirst(state.faults.holds, line)
  if (hold !== undefined) await hold.until
  const ordered = takeFirst(state.faults.answers, line)
  if (ordered !== undefined) {
    send(response, ordered, origin)
  } else if (state.switches.silent && origin !== undefined && !state.pairing.knows(origin)) {
    response.writeHead(403).end()
  } else if (request.method === 'OPTIONS') {
    response.writeHead(204, corsHeaders(origin)).end()
  } else if (/^GET \/session\/[^/]+\/stream$/.test(line) && isPaired(state, request)) {
    openStream(state, request, response)
  } else {
    send(response, await route(state, request, line), origin)
  }
}

function takeFirst<T extends { request: RegExp }>(list: T[], line: string): T | undefined {
  const index = list.findIndex(({ request }) => request.test(line))
  return index < 0 ? undefined : list.splice(index, 1)[0]
}

function isPaired(state: FakeEngineState, { origin, token }: FakeRequest): boolean {
  return origin !== undefined && token !== undefined && state.pairing.grants.get(origin) === token
}

function openStream(state: FakeEngineState, request: FakeRequest, response: ServerResponse): void {
  const { faults } = state
  const raw = faults.rawStreams.shift()
  const session = ownSession(state, request)
  if (faults.refuseStreams > 0) {
    faults.refuseStreams -= 1
    response.destroy()
  } else if (raw !== undefined) {
    response.writeHead(200, { ...corsHeaders(request.origin), 'content-type': 'text/event-stream' })
    response.write(raw.text, () => {
      if (raw.then === 'drop') response.destroy()
    })
  } else if (session === undefined) send(response, notFound('Session not found'), request.origin)
  else {
    for (const [name, value] of Object.entries(corsHeaders(request.origin))) response.setHeader(name, value)
    session.stream(response, request.query.get('lastEventId'))
  }
}

function ownSession(state: FakeEngineState, { path, origin }: FakeRequest): FakeSession | undefined {
  const session = state.sessions.get(path.split('/')[2] ?? '')
  return session?.origin === origin ? session : undefined
}

function notFound(error: string): Reply {
  return { status: 404, body: { error } }
}

async function route(state: FakeEngineState, request: FakeRequest, line: string): Promise<Reply> {
  const paired = isPaired(state, request)
  if (line === 'GET /health') return { status: 200, body: health(state, paired) }
  if (line === 'POST /connect/claim') return state.pairing.claim(request.origin, request.body)
  if (!paired) return { status: 401, body: { error: 'This site is not connected.', code: 'not_paired' } }
  if (line === 'POST /embed') return embed(state, request.body)
  if (line === 'POST /session/prepare') return prepare(state, request)
  return onSession(state, request)
}

function health({ switches, agent, embedModel }: FakeEngineState, paired: boolean): Record<string, unknown> {
  const base = { leuria: '0.1.0', ok: true, agent, approvals: switches.silent ? 'app' : 'page', paired }
  const extras = switches.extras ? { moonPhase: 'full' } : {}
  return { ...base, ...extras, ...(paired && embedModel !== undefined ? { embed: embedModel } : {}) }
}

/** Vectors that say which text they are of: `[length, first character code]`. */
function embed({ embedModel }: FakeEngineState, body: Record<string, unknown>): Reply {
  if (embedModel === undefined) return { status: 503, body: { error: 'No local model', code: 'no_embedder' } }
  const texts = Array.isArray(body.texts) ? body.texts.map(String) : []
  if (texts.length < 1 || texts.length > 256) return { status: 400, body: { error: 'texts must hold 1 to 256 texts' } }
  return { status: 200, body: { model: embedModel, vectors: texts.map((text) => [text.length, text.charCodeAt(0)]) } }
}

function prepare(state: FakeEngineState, { origin, body }: FakeRequest): Reply {
  if (origin === undefined) return { status: 403, body: { error: 'origin not allowed' } }
  const live = [...state.sessions.values()].filter((each) => each.origin === origin && isLive(each.status))
  if (live.length >= MAX_LIVE_SESSIONS) return { status: 400, body: { error: 'This site has 4 live sessions.' } }
  if ('prompt' in body && (typeof body.prompt !== 'string' || body.prompt.trim() === '')) {
    return { status: 400, body: { error: 'prompt must be a non-empty string' } }
  }
  const session = new FakeSession(origin, body, state)
  state.sessions.set(session.id, session)
  return { status: 201, body: { sessionId: session.id, status: session.status, ...session.tokens } }
}

function onSession(state: FakeEngineState, request: FakeRequest): Reply {
  const session = ownSession(state, request)
  if (session === undefined) return notFound('Session not found')
  const [, , , action, ...rest] = request.path.split('/')
  if (request.method === 'GET' && action === undefined) return { status: 200, body: session.info() }
  const known = ['approve', 'prompt', 'cancel-turn', 'cancel', 'close'].includes(action ?? '')
  if (request.method !== 'POST' || !known || rest.length > 0) return notFound('Not found')
  const refusal = session.act(action ?? '', request.body)
  if (refusal !== null) return { status: 400, body: { error: refusal } }
  return { status: 200, body: { sessionId: session.id, status: session.status } }
}
