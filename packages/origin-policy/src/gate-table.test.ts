/**
 * Every caller on every kind of route in both modes. What stands in a cell is what the caller gets:
 * `ok`: the route's handler; a number: an error that says so; `silent`: an empty 403; `cut`: no answer; `204`: a preflight.
 */
import { parseOrigin } from '@leuria/protocol'
import { describe, expect, it } from 'vitest'
import { type Access, decideRequest, type EngineMode, mayCall } from './index.js'

const PORT = 19570
const ROUTES = {
  health: { method: 'GET', target: '/health', access: 'health' },
  claim: { method: 'POST', target: '/connect/claim', access: 'claim' },
  approvalPage: { method: 'GET', target: '/connect/abc', access: 'approval' },
  state: { method: 'GET', target: '/connect/abc/state', access: 'approval' },
  decide: { method: 'POST', target: '/connect/abc/decide', access: 'answer' },
  prepare: { method: 'POST', target: '/session/prepare', access: 'paired' },
  embed: { method: 'POST', target: '/embed', access: 'paired' },
  mcp: { method: 'POST', target: '/webmcp/mcp', access: 'mcp' },
  admin: { method: 'GET', target: '/admin/status', access: 'admin' },
  unknown: { method: 'GET', target: '/nope', access: 'unknown' },
  preflight: { method: 'OPTIONS', target: '/session/prepare', access: 'unknown' },
  adminPreflight: { method: 'OPTIONS', target: '/admin/status', access: 'unknown' },
  upgrade: { method: 'GET', target: '/webmcp/register', access: 'unknown' },
} as const satisfies Record<string, { method: string; target: string; access: Access }>
type RouteName = keyof typeof ROUTES

const NAVIGATION = ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document']
const CALLERS = {
  'unknown site': ['Origin', 'https://evil.example'],
  'named site': ['Origin', 'https://asking.example'],
  'granted site without its token': ['Origin', 'https://shop.example'],
  'granted site with its token': ['Origin', 'https://shop.example', 'Authorization', 'Bearer grant'],
  'granted site with the admin token': ['Origin', 'https://shop.example', 'Authorization', 'Bearer admin'],
  'unknown site with the admin token': ['Origin', 'https://evil.example', 'Authorization', 'Bearer admin'],
  'own page': ['Origin', `http://127.0.0.1:${PORT}`],
  'desktop window without a token': ['Origin', 'tauri://localhost'],
  'desktop window with the admin token': ['Origin', 'tauri://localhost', 'Authorization', 'Bearer admin'],
  'desktop window on Windows': ['Origin', 'http://tauri.localhost', 'Authorization', 'Bearer admin'],
  'sandboxed frame': ['Origin', 'null'],
  extension: ['Origin', 'chrome-extension://abc'],
  'two origins': ['Origin', 'https://shop.example', 'Origin', 'https://evil.example'],
  'local program': [],
  'local program with the admin token': ['Authorization', 'Bearer admin'],
  'local program on Node': ['sec-fetch-mode', 'cors'],
  navigation: NAVIGATION,
  'framed navigation': [...NAVIGATION.slice(0, -1), 'iframe'],
  image: ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'no-cors', 'Sec-Fetch-Dest', 'image'],
  "own page's subrequest": ['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Dest', 'empty'],
} as const satisfies Record<string, readonly string[]>
type CallerName = keyof typeof CALLERS

type Cell = 'ok' | 'silent' | 'cut' | 204 | 400 | 401 | 403
type Row = Record<RouteName, Cell>

function row(most: Cell, others: Partial<Row> = {}): Row {
  const all: Row = {
    health: most,
    claim: most,
    approvalPage: most,
    state: most,
    decide: most,
    prepare: most,
    embed: most,
    mcp: most,
    admin: most,
    unknown: most,
    preflight: most,
    adminPreflight: most,
    upgrade: most,
  }
  return { ...all, ...others }
}

/** A site that gets answers but has no right token: whether it has a grant only shows in upgrades. */
const UNPAIRED: Partial<Row> = {
  health: 'ok',
  claim: 'ok',
  prepare: 401,
  embed: 401,
  unknown: 401,
  preflight: 204,
  adminPreflight: 204,
}
const UNPAIRED_WITH_GRANT: Partial<Row> = { ...UNPAIRED, upgrade: 'ok' }
const PAIRED: Partial<Row> = { ...UNPAIRED_WITH_GRANT, prepare: 'ok', embed: 'ok', unknown: 'ok' }
const OWN_PAGE = row(403, { health: 'ok', claim: 400, approvalPage: 'ok', state: 'ok', decide: 'ok' })
const LOCAL = row('ok', { claim: 400, decide: 403, admin: 401, preflight: 204, adminPreflight: 204 })
/** Outside `/admin/` the app's own window is a stranger, too. */
const WINDOW = row('silent', { admin: 'ok', adminPreflight: 204 })
const TABLE: Record<EngineMode, Record<CallerName, Row>> = {
  page: {
    'unknown site': row(403, UNPAIRED),
    'named site': row(403, UNPAIRED),
    'granted site without its token': row(403, UNPAIRED_WITH_GRANT),
    'granted site with its token': row(403, PAIRED),
    'granted site with the admin token': row(403, UNPAIRED_WITH_GRANT),
    'unknown site with the admin token': row(403, UNPAIRED),
    'own page': OWN_PAGE,
    'desktop window without a token': row(403),
    'desktop window with the admin token': row(403),
    'desktop window on Windows': row(403, UNPAIRED),
    'sandboxed frame': row(403),
    extension: row(403),
    'two origins': row(403),
    'local program': LOCAL,
    'local program with the admin token': { ...LOCAL, admin: 'ok' },
    'local program on Node': LOCAL,
    navigation: row(403, { approvalPage: 'ok' }),
    'framed navigation': row(403),
    image: row(403),
    "own page's subrequest": OWN_PAGE,
  },
  app: {
    'unknown site': row('silent'),
    'named site': row(403, UNPAIRED),
    'granted site without its token': row(403, UNPAIRED_WITH_GRANT),
    'granted site with its token': row(403, PAIRED),
    'granted site with the admin token': row(403, UNPAIRED_WITH_GRANT),
    'unknown site with the admin token': row('silent'),
    'own page': OWN_PAGE,
    'desktop window without a token': { ...WINDOW, admin: 401 },
    'desktop window with the admin token': WINDOW,
    'desktop window on Windows': WINDOW,
    'sandboxed frame': row('silent'),
    extension: row('silent'),
    'two origins': row('silent'),
    'local program': LOCAL,
    'local program with the admin token': { ...LOCAL, admin: 'ok' },
    'local program on Node': LOCAL,
    navigation: row('cut'),
    'framed navigation': row('cut'),
    image: row('cut'),
    "own page's subrequest": row('cut'),
  },
}

const SITE = {
  granted: (origin: string) => origin === 'https://shop.example',
  named: (origin: string) => origin === 'https://asking.example',
}

/** What the engine does around the two functions: the token is judged by who sends it. */
function outcome(caller: CallerName, routeName: RouteName, mode: EngineMode): number | string {
  const headers: readonly string[] = CALLERS[caller]
  const { method, target, access } = ROUTES[routeName]
  const upgrade = routeName === 'upgrade'
  const rawHeaders = ['Host', `127.0.0.1:${PORT}`, ...headers]
  const decision = decideRequest({ method, target, rawHeaders, upgrade }, SITE, { port: PORT, mode })
  if (decision.kind === 'cut') return 'cut'
  if (decision.kind === 'preflight') return 204
  if (decision.kind === 'refuse') return decision.error === null ? 'silent' : decision.status
  if (upgrade) return 'ok'
  const needed = decision.caller.kind === 'site' ? 'Bearer grant' : 'Bearer admin'
  const verdict = mayCall(decision.caller, access, headers.includes(needed))
  return verdict.ok ? 'ok' : verdict.status
}

describe.each(Object.entries(TABLE))('callers and routes, %s mode', (mode, rows) => {
  it.each(Object.entries(rows))('%s', (caller, expected) => {
    const actual = Object.fromEntries(
      Object.keys(ROUTES).map((name) => [name, outcome(caller as CallerName, name as RouteName, mode as EngineMode)]),
    )
    expect(actual).toEqual(expected)
  })
})

describe('what a refused caller is told', () => {
  it('sends an unpaired site the code that makes it forget its token', () => {
    const origin = parseOrigin('https://shop.example')
    if (origin === null) throw new Error('not an origin')
    const site = { kind: 'site', origin } as const
    expect(mayCall(site, 'paired', false)).toMatchObject({ ok: false, status: 401, code: 'not_paired' })
    expect(mayCall(site, 'unknown', false)).toMatchObject({ ok: false, status: 401, code: 'not_paired' })
  })

  it('does not tell the desktop window to forget a grant', () => {
    expect(mayCall({ kind: 'webview', origin: 'tauri://localhost' }, 'admin', false)).toMatchObject({
      status: 401,
      code: 'unauthorized',
    })
  })
})
