/** Checks of Conventions: CORS, Bodies, Errors. */
import { MAX_BODY_BYTES } from '@leuria/protocol'
import type { BODIES, CORS, ERRORS } from '../../clauses/conventions.js'
import { cannotSee, holds } from '../../report/observe.js'
import { type Answer, type Call, seen } from '../../wire-http.js'
import { recordExpiry, recordFlood } from '../patient-record.js'
import { type Checks, type Kit, meanwhile, unseen, veryLast } from '../kit.js'
import { fieldsOf } from '../mcp-agent.js'

/** Answers of each kind to a connected page. */
async function answersToPage(kit: Kit): Promise<Answer[]> {
  return [
    await kit.asShop('/health'),
    await kit.asShop('/health', { token: 'wrong' }),
    await kit.asShop('/session/prepare', { body: {}, token: 'wrong' }),
    await kit.asShop('/session/prepare', { raw: '{' }),
    await kit.asShop('/session/unknown'),
    await kit.asShop('/nope'),
    await kit.asShop('/webmcp/mcp', { body: {} }),
  ]
}

async function everyAnswerHas(kit: Kit, header: string, is: (value: string) => boolean): Promise<void> {
  for (const answer of await answersToPage(kit)) {
    const value = answer.headers[header]
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
    holds(is(text), `${answer.request} answered ${answer.status} with ${header}: ${text === '' ? 'nothing' : text}`)
  }
}

async function preflights(kit: Kit): Promise<Answer[]> {
  const { origin } = await kit.shop()
  const headers = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
    'Access-Control-Request-Private-Network': 'true',
  }
  const paths = ['/session/prepare', '/embed', '/connect/claim', '/session/a/stream', '/health']
  return Promise.all(paths.map((path) => kit.call(path, { method: 'OPTIONS', origin, headers })))
}

async function everyPreflightAllows(kit: Kit, header: string, values: readonly string[]): Promise<void> {
  for (const answer of await preflights(kit)) {
    const allowed = String(answer.headers[header] ?? '')
    const list = allowed.toLowerCase().split(/\s*,\s*/)
    holds(
      values.every((value) => list.includes(value.toLowerCase())),
      `${answer.request} answered ${header}: ${allowed === '' ? 'nothing' : allowed}`,
    )
  }
}

export const corsChecks: Checks<keyof typeof CORS> = {
  'cors.origin': async (kit) => {
    const { origin } = await kit.shop()
    await everyAnswerHas(kit, 'access-control-allow-origin', (value) => value === origin)
  },
  'cors.vary': (kit) => everyAnswerHas(kit, 'vary', (value) => /\borigin\b/i.test(value)),
  'cors.private-network': (kit) =>
    everyAnswerHas(kit, 'access-control-allow-private-network', (value) => value === 'true'),
  'cors.preflight.status': async (kit) => {
    for (const answer of await preflights(kit)) holds(answer.status === 204, seen(answer))
  },
  'cors.preflight.methods': (kit) =>
    everyPreflightAllows(kit, 'access-control-allow-methods', ['GET', 'POST', 'OPTIONS']),
  'cors.preflight.headers': (kit) =>
    everyPreflightAllows(kit, 'access-control-allow-headers', ['Content-Type', 'Authorization']),
  'cors.preflight.max-age': (kit) => everyPreflightAllows(kit, 'access-control-max-age', ['600']),
  'cors.preflight.private-network': (kit) =>
    everyPreflightAllows(kit, 'access-control-allow-private-network', ['true']),
}

/** What an engine may answer to a proper request for vectors: the model may be missing or broken. */
const EMBED_STATUSES = [200, 502, 503]
const BIG_BODY_LIMIT_MS = 60_000

export const bodyChecks: Checks<keyof typeof BODIES> = {
  'body.json': async (kit) => {
    for (const answer of await answersToPage(kit)) {
      const type = answer.headers['content-type'] ?? 'nothing'
      holds(
        /^application\/json\b/.test(type) && answer.json !== undefined,
        `${answer.request} answered ${answer.status} with Content-Type: ${type}`,
      )
    }
  },
  'body.empty': async (kit) => {
    const answer = await kit.asShop('/session/prepare', { method: 'POST', raw: '' })
    holds(answer.status === 201, seen(answer))
    await kit.asShop(`/session/${String(fieldsOf(answer.json).sessionId)}/close`, { body: {} })
  },
  'body.limit': async (kit) => {
    const texts = ['a'.repeat(MAX_BODY_BYTES - 1_024)]
    const answer = await kit.asShop('/embed', { body: { texts }, limitMs: BIG_BODY_LIMIT_MS })
    holds(EMBED_STATUSES.includes(answer.status), seen(answer))
  },
  'body.over-limit': async (kit) => {
    const texts = ['a'.repeat(MAX_BODY_BYTES + 1_024)]
    // A connection that is cut while the body is on its way is a refusal, too.
    const answer = await kit.asShop('/embed', { body: { texts }, limitMs: BIG_BODY_LIMIT_MS }).catch(() => null)
    holds(answer === null || !EMBED_STATUSES.includes(answer.status), answer === null ? '' : seen(answer))
  },
  'body.invalid': async (kit) => {
    for (const path of ['/session/prepare', '/embed']) {
      const answer = await kit.asShop(path, { raw: '{"texts":' })
      holds(answer.status === 400 && fieldsOf(answer.json).error === 'Invalid JSON body', seen(answer))
    }
  },
}

/** The shop's request gets this status. */
async function gives(kit: Kit, status: number, { path, ...call }: Call & { path: string }): Promise<void> {
  const answer = await kit.asShop(path, call)
  holds(answer.status === status, seen(answer))
}

const UNKNOWN_SESSION = '/session/00000000-0000-4000-8000-000000000000'

export const errorChecks: Checks<keyof typeof ERRORS> = {
  'error.shape': async (kit) => {
    for (const answer of (await answersToPage(kit)).filter(({ status }) => status >= 400)) {
      const { error, code } = fieldsOf(answer.json)
      holds(typeof error === 'string' && ['undefined', 'string'].includes(typeof code), seen(answer))
    }
  },
  'error.400': async (kit) => {
    await gives(kit, 400, { path: '/session/prepare', body: { prompt: 7 } })
    await gives(kit, 400, { path: '/session/prepare', raw: '[]' })
  },
  'error.401': async (kit) => {
    const answer = await kit.asShop('/session/prepare', { body: {}, token: 'wrong' })
    holds(answer.status === 401 && fieldsOf(answer.json).code === 'not_paired', seen(answer))
  },
  'error.403': (kit) => gives(kit, 403, { path: '/connect/abc/state' }),
  'error.404.route': (kit) => gives(kit, 404, { path: '/nope' }),
  'error.404.pairing': async (kit) => {
    const answer = await kit.call('/connect/unknown/state', { origin: kit.options.url.origin })
    holds(answer.status === 404, seen(answer))
  },
  'error.404.session': async (kit) => {
    await gives(kit, 404, { path: UNKNOWN_SESSION })
    await gives(kit, 404, { path: `${UNKNOWN_SESSION}/prompt`, body: { prompt: 'hi' } })
  },
  'error.410': meanwhile(async (kit) => {
    const { last } = await recordExpiry(kit)
    if (kit.options.mode === 'app' && last.text === '') cannotSee('the app is silent once the question is gone')
    holds(last.status === 410, seen(last))
  }),
  'error.429.pending': veryLast(async (kit) => {
    const answer = await recordFlood(kit)
    if (kit.options.mode === 'app' && answer.text === '') cannotSee('the app refuses the link and is silent')
    holds(answer.status === 429, seen(answer))
  }),
  'error.429.no': async (kit) => {
    const { afterRefusal } = await kit.pairing()
    if (kit.options.mode === 'app' && afterRefusal.text === '') cannotSee('the app refuses the link and is silent')
    holds(afterRefusal.status === 429, seen(afterRefusal))
  },
  'error.500': unseen('nothing that a page may send should lead to one'),
}
