import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GateDecision, decideRequest } from './index.js'

const PORT = 19570
const NOBODY = { granted: () => false, named: () => false }

/** A local program's request with this target. */
function ask(target: string, method = 'GET', host = `127.0.0.1:${PORT}`): GateDecision {
  const rawHeaders = ['Host', host]
  return decideRequest({ method, target, rawHeaders, upgrade: false }, NOBODY, { port: PORT, mode: 'page' })
}

describe('request targets', () => {
  it.each([
    ['two slashes, which the URL parser reads as a host', '//'],
    ['two slashes and a host', '//evil.example/health'],
    ['nothing', ''],
    ['a path without its slash', 'health'],
    ['a space', '/a b'],
    ['a control character', '/a\u0000b'],
    ['a byte beyond ASCII', '/caf\u00e9'],
    ['a fragment', '/health#x'],
    ['a proxy form with https', 'https://127.0.0.1:19570/health'],
    ['another scheme', 'ftp://127.0.0.1:19570/health'],
    ['an absolute form with two slashes in its path', 'http://127.0.0.1:19570//evil.example'],
    ['an absolute form without a host', 'http:///health'],
    ['the asterisk with a method that has none', '*'],
  ])('answers %s with a readable 400', (_, target) => {
    expect(ask(target)).toMatchObject({ kind: 'refuse', status: 400, error: 'Malformed request target' })
  })

  it('answers CONNECT, which only proxies serve, with a readable 400', () => {
    expect(ask('127.0.0.1:19570', 'CONNECT')).toMatchObject({ kind: 'refuse', status: 400 })
    expect(ask('/health', 'CONNECT')).toMatchObject({ kind: 'refuse', status: 400 })
  })

  it('lets a connected page read the 400', () => {
    const rawHeaders = ['Host', `127.0.0.1:${PORT}`, 'Origin', 'https://shop.example']
    const request = { method: 'GET', target: '//', rawHeaders, upgrade: false }
    expect(decideRequest(request, NOBODY, { port: PORT, mode: 'page' })).toMatchObject({
      status: 400,
      headers: { 'access-control-allow-origin': 'https://shop.example' },
    })
  })

  it('splits path and query without decoding or resolving anything', () => {
    const decision = ask('/a/../b/%2e%2E/c%?x=%41&y=1?2&x=3')
    expect(decision).toMatchObject({ kind: 'pass', path: '/a/../b/%2e%2E/c%' })
    if (decision.kind !== 'pass') return
    expect(decision.query.getAll('x')).toEqual(['A', '3'])
    expect(decision.query.get('y')).toBe('1?2')
  })

  it('reads an absolute form whose authority is the Host', () => {
    expect(ask(`http://127.0.0.1:${PORT}/health?a=1`)).toMatchObject({ kind: 'pass', path: '/health' })
    expect(ask(`HTTP://127.0.0.1:${PORT}`)).toMatchObject({ kind: 'pass', path: '/' })
    expect(ask(`http://127.0.0.1:${PORT}?a=1`)).toMatchObject({ kind: 'pass', path: '/' })
  })

  it.each(['evil.example:19570', 'localhost:19570', 'user@127.0.0.1:19570', '127.0.0.1'])(
    'refuses an absolute form for %s when the Host is another',
    (authority) => {
      expect(ask(`http://${authority}/health`)).toMatchObject({ status: 403, error: 'host not allowed' })
    },
  )

  it('answers OPTIONS *', () => {
    expect(ask('*', 'OPTIONS')).toMatchObject({ kind: 'preflight' })
  })

  it('gives any target a decision, and every path that passes begins with exactly one slash', () => {
    const targets = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc
        .array(fc.constantFrom('/', '//', '?', '#', '*', '%', '%2f', '..', '\\', 'http:', '@', 'admin', '\u00e9'))
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(targets, fc.constantFrom('GET', 'POST', 'OPTIONS', 'CONNECT', ''), (target, method) => {
        const decision = ask(target, method)
        expect(['pass', 'refuse', 'preflight']).toContain(decision.kind)
        if (decision.kind === 'pass') expect(decision.path).toMatch(/^\/(?!\/)/)
      }),
    )
  })
})
