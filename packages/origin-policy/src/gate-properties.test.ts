/** Whatever comes off the socket: the gate decides, and never in a stranger's favour. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideRequest, type EngineFacts, type RequestFacts } from './index.js'

const PORT = 19570
const GRANTED = 'https://shop.example'
const NAMED = 'https://asking.example'
const SITE = { granted: (origin: string) => origin === GRANTED, named: (origin: string) => origin === NAMED }

const name = fc.oneof(
  fc.constantFrom(
    ...['Host', 'host', 'HOST', 'Origin', 'origin', 'Sec-Fetch-Site', 'sec-fetch-site', 'Sec-Fetch-Mode'],
    ...['Sec-Fetch-Dest', 'SEC-FETCH-USER', 'Authorization', 'Upgrade', 'Content-Length', 'X-Forwarded-Host'],
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const value = fc.oneof(
  fc.constantFrom(
    ...[`127.0.0.1:${PORT}`, `localhost:${PORT}`, 'evil.example', GRANTED, NAMED, 'https://evil.example', 'null'],
    ...[`http://127.0.0.1:${PORT}`, 'tauri://localhost', 'http://tauri.localhost', 'cross-site', 'same-origin'],
    ...['none', 'navigate', 'cors', 'no-cors', 'document', 'iframe', 'empty', ''],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.webUrl(),
)
/** Now and then a list of odd length: nothing promises pairs. */
const headerList = fc
  .tuple(fc.array(fc.tuple(name, value), { maxLength: 8 }), fc.boolean(), fc.array(name, { maxLength: 1 }))
  .map(([pairs, host, rest]) => [...(host ? ['Host', `127.0.0.1:${PORT}`] : []), ...pairs.flat(), ...rest])

const target = fc.oneof(
  fc.constantFrom('/health', '/connect/abc', '/connect/claim', '/admin/status', '/webmcp/register', '//', '*', '/', ''),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.webUrl(),
)
const request: fc.Arbitrary<RequestFacts> = fc.record({
  method: fc.oneof(fc.constantFrom('GET', 'POST', 'OPTIONS', 'HEAD', 'DELETE', 'CONNECT'), fc.string({ maxLength: 8 })),
  target,
  rawHeaders: headerList,
  upgrade: fc.boolean(),
})
const engine: fc.Arbitrary<EngineFacts> = fc.record({
  port: fc.constantFrom(PORT, 80),
  mode: fc.constantFrom('page', 'app'),
})

function values(rawHeaders: readonly string[], wanted: string): string[] {
  return rawHeaders.flatMap((header, at) =>
    at % 2 === 0 && header.toLowerCase() === wanted ? [rawHeaders[at + 1] ?? ''] : [],
  )
}

function pairsWithout(rawHeaders: readonly string[], unwanted: readonly string[]): string[] {
  return rawHeaders.flatMap((header, at) =>
    at % 2 === 0 && !unwanted.includes(header.toLowerCase()) ? [header, rawHeaders[at + 1] ?? ''] : [],
  )
}

const RUNS = { numRuns: 3_000 }

describe('the gate, for any request', () => {
  it('decides and never throws', () => {
    fc.assert(
      fc.property(request, engine, (facts, here) => {
        expect(['cut', 'refuse', 'preflight', 'pass']).toContain(decideRequest(facts, SITE, here).kind)
      }),
      RUNS,
    )
  })

  it('lets nobody pass without exactly one right Host', () => {
    fc.assert(
      fc.property(request, engine, (facts, here) => {
        const decision = decideRequest(facts, SITE, here)
        const hosts = values(facts.rawHeaders, 'host')
        const right = [
          `127.0.0.1:${here.port}`,
          `localhost:${here.port}`,
          ...(here.port === 80 ? ['127.0.0.1', 'localhost'] : []),
        ]
        const allowed = hosts.length === 1 && right.includes(hosts[0] ?? '')
        if (!allowed) expect(['cut', 'refuse']).toContain(decision.kind)
      }),
      RUNS,
    )
  })

  it('takes no request with an Origin or the marks of a browser for a local program', () => {
    fc.assert(
      fc.property(request, engine, (facts, here) => {
        const decision = decideRequest(facts, SITE, here)
        const marked = ['sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user'].some(
          (mark) => values(facts.rawHeaders, mark).length > 0,
        )
        const origins = values(facts.rawHeaders, 'origin').filter((origin) => origin !== '')
        const local = decision.kind === 'pass' && decision.caller.kind === 'local'
        if (marked || origins.length > 0) expect(local).toBe(false)
      }),
      RUNS,
    )
  })

  it('gives an origin that the app does not know no body and no CORS header', () => {
    const rest = headerList.map((list) => pairsWithout(list, ['host', 'origin']))
    const strange = fc.oneof(
      fc.constantFrom('https://evil.example', 'http://shop.example', 'https://shop.example:8443', 'null', 'file://'),
      fc.webUrl().filter((url) => new URL(url).origin !== GRANTED && new URL(url).origin !== NAMED),
    )
    fc.assert(
      fc.property(request, rest, strange, (facts, headers, origin) => {
        const rawHeaders = [...headers, 'Host', `127.0.0.1:${PORT}`, 'Origin', origin]
        // The authority of an absolute form counts as a Host, which is judged (and answered) before anything else.
        const sent = { ...facts, rawHeaders, target: facts.target.replace(/^http:/i, '') }
        expect(decideRequest(sent, SITE, { port: PORT, mode: 'app' })).toEqual({
          kind: 'refuse',
          status: 403,
          error: null,
          headers: {},
        })
      }),
      RUNS,
    )
  })

  it('names in its CORS headers only the origin that asked, and only one that it may answer', () => {
    fc.assert(
      fc.property(request, engine, (facts, here) => {
        const decision = decideRequest(facts, SITE, here)
        const headers = 'headers' in decision ? decision.headers : {}
        const named = headers['access-control-allow-origin']
        if (named === undefined) return
        expect(headers.vary).toBe('Origin')
        const origins = values(facts.rawHeaders, 'origin')
        expect(origins).toHaveLength(1)
        if (named.startsWith('tauri:')) expect(named).toBe(origins[0])
        else expect(named).toBe(new URL(origins[0] ?? '').origin)
        const webview = /^(tauri:\/\/localhost|https?:\/\/tauri\.localhost)$/.test(named)
        if (here.mode === 'app' && !webview) expect([GRANTED, NAMED]).toContain(named)
      }),
      RUNS,
    )
  })

  it('lets only granted origins and local programs upgrade', () => {
    fc.assert(
      fc.property(request, engine, (facts, here) => {
        const decision = decideRequest({ ...facts, upgrade: true }, SITE, here)
        if (decision.kind !== 'pass') return
        const { caller } = decision
        expect(caller.kind === 'local' || (caller.kind === 'site' && caller.origin === GRANTED)).toBe(true)
      }),
      RUNS,
    )
  })
})
