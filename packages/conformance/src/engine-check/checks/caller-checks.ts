/** Checks of Conventions: Callers, Authentication, Silence; and of Security considerations, which says the same of sites. */
import type { AUTHENTICATION, CALLERS, SILENCE } from '../../clauses/conventions.js'
import type { SECURITY } from '../../clauses/embeddings.js'
import { cannotSee, holds } from '../../report/observe.js'
import { type Answer, type Call, seen } from '../../wire-http.js'
import { type Checks, type Kit, unseen } from '../kit.js'
import { fieldsOf } from '../mcp-agent.js'

/** Routes that need a grant token. */
const PAIRED: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/session/prepare'],
  ['GET', '/session/a'],
  ['GET', '/session/a/stream'],
  ['POST', '/session/a/approve'],
  ['POST', '/session/a/prompt'],
  ['POST', '/session/a/cancel-turn'],
  ['POST', '/session/a/cancel'],
  ['POST', '/session/a/close'],
  ['POST', '/embed'],
]

const EVERY_ROUTE = [
  '/health',
  '/connect/claim',
  '/connect/a',
  '/session/prepare',
  '/session/a/stream',
  '/embed',
  '/webmcp/mcp',
  '/admin/status',
  '/nope',
  '/',
]

export function hasCors({ headers }: Answer): boolean {
  return Object.keys(headers).some((name) => name.startsWith('access-control-'))
}

function isNotPaired(answer: Answer): boolean {
  return answer.status === 401 && fieldsOf(answer.json).code === 'not_paired'
}

/** A page without a valid token: silence in the app when it isn't known at all, else 401. */
async function refusesWithoutToken(kit: Kit, call: Call): Promise<void> {
  for (const [method, path] of PAIRED) {
    const answer = await kit.call(path, { method, ...call })
    holds(isNotPaired(answer), seen(answer))
  }
}

async function isSilent(kit: Kit, path: string, call: Call): Promise<void> {
  const answer = await kit.call(path, call)
  holds(answer.status === 403 && answer.text === '', seen(answer))
  holds(!hasCors(answer), `${answer.request} has CORS headers`)
}

async function paired(kit: Kit, call: Call): Promise<unknown> {
  return fieldsOf((await kit.call('/health', call)).json).paired
}

export const callerChecks: Checks<keyof typeof CALLERS> = {
  'caller.page': async (kit) => {
    const session = await kit.session()
    const info = await session.info()
    holds(info.status === 200, seen(info))
  },
  'caller.own-page.allowed': async (kit) => {
    const { origin } = kit.options.url
    for (const path of ['/health', '/connect/unknown']) {
      const answer = await kit.call(path, { origin })
      holds(answer.status !== 403 && answer.status !== 401, seen(answer))
    }
  },
  'caller.own-page.refused': async (kit) => {
    const { origin } = kit.options.url
    const { token } = await kit.shop()
    for (const [method, path] of PAIRED) {
      const answer = await kit.call(path, { method, origin, token })
      holds(answer.status === 403, seen(answer))
    }
  },
  'caller.admin': async (kit) => {
    for (const origin of ['tauri://localhost', undefined]) {
      const answer = await kit.call('/admin/status', { origin })
      holds([401, 403, 404].includes(answer.status), seen(answer))
    }
  },
  'caller.local': async (kit) => {
    const prepared = await kit.call('/session/prepare', { body: {} })
    holds(prepared.status === 201, seen(prepared))
    const id = String(fieldsOf(prepared.json).sessionId)
    const closed = await kit.call(`/session/${id}/close`, { body: {} })
    holds(closed.status === 200, seen(closed))
  },
  'origin.scheme': async (kit) => {
    for (const origin of ['null', 'file://', 'ftp://shop.example', 'chrome-extension://abc']) {
      const answer = await kit.call('/health', { origin })
      const isNamed = fieldsOf(answer.json).error === 'origin not allowed'
      // The app is as silent to these as to every page that it doesn't know.
      const isQuiet = kit.options.mode === 'app' && answer.text === ''
      holds(answer.status === 403 && (isNamed || isQuiet), `with Origin ${origin}: ${seen(answer)}`)
    }
  },
  'origin.normal-form': async (kit) => {
    const { origin, token } = await kit.shop()
    for (const form of [origin.toUpperCase(), `${origin}:443`])
      holds((await paired(kit, { origin: form, token })) === true, `the token is not valid for ${form}`)
  },
  'origin.exact': async (kit) => {
    const { origin, token } = await kit.shop()
    const host = new URL(origin).host
    for (const other of [`http://${host}`, `${origin}:8443`, `https://www.${host}`, `${origin}.evil.test`])
      holds((await paired(kit, { origin: other, token })) !== true, `the token is valid for ${other}`)
  },
}

export const authenticationChecks: Checks<keyof typeof AUTHENTICATION> = {
  'auth.bearer': async (kit) => {
    const { origin, token } = await kit.shop()
    holds((await paired(kit, { origin, token })) === true, 'the token as Bearer is not valid')
    for (const Authorization of [token, `Basic ${token}`])
      holds(
        (await paired(kit, { origin, headers: { Authorization } })) !== true,
        `valid as "${Authorization.replace(token, '<token>')}"`,
      )
  },
  'auth.not-paired': async (kit) => {
    const { origin, token } = await kit.shop()
    for (const wrong of [undefined, 'wrong', token.slice(0, -1)])
      await refusesWithoutToken(kit, { origin, token: wrong })
  },
}

export const silenceChecks: Checks<keyof typeof SILENCE> = {
  'silence.empty': (kit) => isSilent(kit, '/health', { origin: kit.subject.origin('stranger') }),
  'silence.every-route': async (kit) => {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      for (const path of EVERY_ROUTE) await isSilent(kit, path, { method, origin: kit.subject.origin('stranger') })
  },
  'silence.named': async (kit) => {
    const { app } = await kit.pairing()
    if (app === null) cannotSee('no link was opened')
    holds(app.named.status === 200, seen(app.named))
  },
  'silence.granted': async (kit) => {
    const { origin } = await kit.shop()
    const answer = await kit.call('/health', { origin })
    holds(answer.status === 200, seen(answer))
  },
  'silence.none': async (kit) => {
    for (const origin of [kit.subject.origin('stranger'), 'http://anything.example:81']) {
      const answer = await kit.call('/health', { origin })
      holds(answer.status === 200, `for ${origin}: ${seen(answer)}`)
    }
  },
}

export const securityChecks: Checks<keyof typeof SECURITY> = {
  'security.no-trust': async (kit) => {
    for (const [method, path] of PAIRED) {
      const answer = await kit.call(path, { method, origin: kit.subject.origin('stranger') })
      holds(answer.status === 401 || answer.status === 403, seen(answer))
    }
  },
  'security.token.elsewhere': async (kit) => {
    const [{ token }, { origin }] = [await kit.shop(), await kit.other()]
    await refusesWithoutToken(kit, { origin, token })
  },
  'security.silent': async (kit) => {
    const origin = kit.subject.origin('stranger')
    await isSilent(kit, '/health', { origin, token: 'any' })
    await isSilent(kit, '/connect/claim', { origin, body: { nonce: 'n'.repeat(30) } })
  },
  'security.empty-folder': unseen("what the AI's own process may do is not on the wire"),
  'security.refuses': async (kit) => {
    const permissions = (await kit.toolTurn()).first.dataOf('permission').map(fieldsOf)
    if (permissions.length === 0) cannotSee('the AI asked for no permission')
    const allowed = permissions.filter(({ allow }) => allow === true).map(({ toolName }) => String(toolName))
    holds(
      allowed.every((name) => name.startsWith('mcp__webmcp__')),
      `allowed: ${allowed.join(', ')}`,
    )
  },
}
