/** The routes of the kit's engine: a request of a caller that was let in → what it gets. */
import { claimBody, prepareBody, promptBody } from '@leuria/protocol'
import * as z from 'zod/mini'
import type { FakeCaller } from './caller-gate.js'
import type { FakeEngine } from './fake-engine.js'
import { FAKE_EMBED_MODEL, fakeEmbed } from './fake-embedder.js'
import { answerMcp } from './fake-mcp.js'
import { fieldsIn } from './fake-channel.js'
import type { FakeSession } from './fake-session.js'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly caller: FakeCaller
  readonly token: string | undefined
  readonly body: unknown
}

export type FakeReply =
  | { status: number; body: unknown }
  | { status: number; html: string; headers: Readonly<Record<string, string>> }
  | { stream: FakeSession }

export function fail(status: number, error: string, code?: string): FakeReply {
  return { status, body: { error, ...(code === undefined ? {} : { code }) } }
}

const NOT_FOUND = fail(404, 'Not found.')
const NO_SESSION = fail(404, 'Session not found')

/** A page without a valid token may do nothing else than this. */
const OPEN_ROUTES = ['GET /health', 'POST /connect/claim']

const APPROVAL_HEADERS = {
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** What the caller may not use; null: it may. */
function refusal(engine: FakeEngine, request: FakeRequest): FakeReply | null {
  const { caller, path, method, token } = request
  if (path.startsWith('/admin/')) return fail(401, 'The admin token is missing.')
  if (caller.kind === 'own')
    return path === '/health' || path.startsWith('/connect/') ? null : fail(403, 'Not for this page.')
  if (caller.kind === 'local') return null
  if (OPEN_ROUTES.includes(`${method} ${path}`)) return null
  const decides = path.endsWith('/decide') && engine.has('site_decides')
  if (path.startsWith('/connect/') && !decides) return fail(403, 'Not for pages.')
  if (decides) return null
  if (!engine.pairing.isValid(caller.origin, token)) {
    return engine.has('wrong_token_403')
      ? fail(403, 'Not allowed.')
      : fail(401, 'This page is not connected.', 'not_paired')
  }
  return path === '/webmcp/mcp' && !engine.has('pages_reach_mcp') ? fail(403, 'Not for pages.') : null
}

function health(engine: FakeEngine, { caller, token }: FakeRequest): FakeReply {
  const paired = caller.kind === 'page' ? engine.pairing.isValid(caller.origin, token) : undefined
  const base = { leuria: '0.2.0', ok: true, agent: 'Scripted AI', approvals: engine.mode }
  return {
    status: 200,
    body: {
      ...base,
      ...(paired === undefined ? {} : { paired }),
      ...(paired === true ? { embed: FAKE_EMBED_MODEL } : {}),
    },
  }
}

async function claim(engine: FakeEngine, { caller, body }: FakeRequest): Promise<FakeReply> {
  const claimed = z.safeParse(claimBody, body)
  if (caller.kind !== 'page' || !claimed.success) return fail(400, 'A claim needs a nonce.')
  return engine.pairing.claim(caller.origin, claimed.data.nonce)
}

function connect(engine: FakeEngine, request: FakeRequest): FakeReply {
  const [, , id = '', action] = request.path.split('/')
  const asked = engine.pairing.byId(id)
  if (request.method === 'GET' && action === undefined) {
    const html =
      asked === undefined ? '<h1>There is nothing to answer here</h1>' : '<h1>Let this site use your AI?</h1>'
    return { status: asked === undefined ? 404 : 200, html, headers: APPROVAL_HEADERS }
  }
  if (action === 'state') return asked === undefined ? NOT_FOUND : { status: 200, body: { decision: asked.decision } }
  if (action !== 'decide') return NOT_FOUND
  if (request.caller.kind !== 'own' && !engine.has('site_decides'))
    return fail(403, "Only the engine's own page decides.")
  if (asked === undefined) return fail(410, 'The question is gone.')
  const { allow, key } = fieldsIn(request.body)
  if (key !== asked.key) return fail(403, 'The key is wrong.')
  engine.pairing.decide(asked, allow === true)
  return { status: 200, body: { decision: asked.decision, origin: asked.origin } }
}

function prepare(engine: FakeEngine, { caller, body }: FakeRequest): FakeReply {
  const origin = caller.kind === 'page' ? caller.origin : 'local'
  const parsed = z.safeParse(prepareBody, body)
  if (!parsed.success) return fail(400, parsed.error.issues[0]?.message ?? 'Malformed.')
  const session = engine.addSession(origin, parsed.data.prompt)
  if (session === null) return fail(400, 'This origin has 4 live sessions.')
  return { status: 201, body: { sessionId: session.id, status: session.status, ...session.tokens } }
}

/** Why the session's status doesn't allow it; null: it does. */
function stateRefusal({ status, live }: FakeSession, action: string, isLax: boolean): string | null {
  if (action === 'approve') return status === 'pending_approval' ? null : `The session is ${status}.`
  if (action === 'prompt')
    return status === 'idle' || (isLax && status === 'running') ? null : `The session is ${status}.`
  if (action === 'cancel-turn') return live ? null : 'The session has ended.'
  return null
}

const ENDS = { close: 'completed', cancel: 'cancelled' } as const

function act(
  engine: FakeEngine,
  { session, action, body }: { session: FakeSession; action: string; body: unknown },
): FakeReply {
  const prompt = z.safeParse(promptBody, body)
  if (action === 'prompt' && !prompt.success) return fail(400, 'prompt must be a non-empty string')
  const refused = stateRefusal(session, action, engine.has('prompt_while_running'))
  if (refused !== null) return fail(400, refused)
  if (action === 'approve') session.approve()
  else if (action === 'prompt') session.run(prompt.data?.prompt ?? '')
  else if (action === 'cancel-turn') session.cancelTurn()
  else if (action === 'close' || action === 'cancel') session.end(ENDS[action])
  else return NOT_FOUND
  return { status: 200, body: { sessionId: session.id, status: session.status } }
}

function sessionRoute(engine: FakeEngine, request: FakeRequest): FakeReply {
  const [, , id = '', action] = request.path.split('/')
  if (request.method === 'POST' && id === 'prepare') return prepare(engine, request)
  const session = engine.sessions.get(id)
  const origin = request.caller.kind === 'page' ? request.caller.origin : 'local'
  if (session === undefined) return NO_SESSION
  if (session.origin !== origin) return engine.has('foreign_session_403') ? fail(403, 'Not yours.') : NO_SESSION
  if (request.method === 'GET' && action === 'stream') return { stream: session }
  if (request.method === 'GET' && action === undefined) return { status: 200, body: session.info() }
  return request.method === 'POST' && action !== undefined
    ? act(engine, { session, action, body: request.body })
    : NOT_FOUND
}

async function mcp(engine: FakeEngine, { token, body }: FakeRequest): Promise<FakeReply> {
  const sessions = [...engine.sessions.values()]
  const session =
    sessions.find(({ channel, live }) => live && channel.token === token) ??
    (engine.has('pages_reach_mcp') ? sessions[0] : undefined)
  if (session === undefined) return fail(401, 'The channel token is wrong.')
  const reply = await answerMcp(session.channel, fieldsIn(body), engine.has)
  return { status: reply === null ? 202 : 200, body: reply }
}

export async function answerRoute(engine: FakeEngine, request: FakeRequest): Promise<FakeReply> {
  const refused = refusal(engine, request)
  if (refused !== null) return refused
  const { method, path } = request
  if (path === '/health' && method === 'GET') return health(engine, request)
  if (path === '/connect/claim' && method === 'POST') return claim(engine, request)
  if (path.startsWith('/connect/')) return connect(engine, request)
  if (path.startsWith('/session/')) return sessionRoute(engine, request)
  if (path === '/webmcp/mcp' && method === 'POST') return mcp(engine, request)
  if (path !== '/embed' || method !== 'POST') return NOT_FOUND
  const embedded = fakeEmbed(request.body, engine.has)
  return embedded === null ? fail(400, 'texts must be 1 to 256 texts') : { status: 200, body: embedded }
}
