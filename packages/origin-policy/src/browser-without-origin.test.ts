/** Notes 8.1.3: a page must not pass as a local program by a request that carries no Origin. */
import { describe, expect, it } from 'vitest'
import { decideRequest, type EngineMode, type GateDecision } from './index.js'

const NOBODY = { granted: () => false, named: () => false }
type Marks = Partial<Record<'site' | 'mode' | 'dest' | 'user', string>>

const NAVIGATION: Marks = { site: 'cross-site', mode: 'navigate', dest: 'document', user: '?1' }

function ask(
  marks: Marks,
  options: { target?: string; method?: string; mode?: EngineMode; upgrade?: boolean } = {},
): GateDecision {
  const { target = '/health', method = 'GET', mode = 'page', upgrade = false } = options
  const fetch = Object.entries(marks).flatMap(([name, value]) => [`Sec-Fetch-${name}`, value])
  const rawHeaders = ['Host', '127.0.0.1:19570', ...fetch]
  return decideRequest({ method, target, rawHeaders, upgrade }, NOBODY, { port: 19570, mode })
}

const FORBIDDEN = { kind: 'refuse', status: 403, error: 'Forbidden', headers: {} }
const CUT = { kind: 'cut' }

describe('a browser without an Origin', () => {
  it.each<[string, Marks, string?]>([
    ['a no-cors fetch', { site: 'cross-site', mode: 'no-cors', dest: 'empty' }],
    ['an image', { site: 'cross-site', mode: 'no-cors', dest: 'image' }],
    ['a script', { site: 'same-site', mode: 'no-cors', dest: 'script' }],
    ['a frame', { site: 'cross-site', mode: 'navigate', dest: 'iframe' }],
    ['a navigation to a route', NAVIGATION],
    ['a typed address', { site: 'none', mode: 'navigate', dest: 'document', user: '?1' }],
    ['a navigation from its own page', { site: 'same-origin', mode: 'navigate', dest: 'document' }],
    ['a form post', NAVIGATION, 'POST'],
    ['a request of the browser itself', { site: 'none', mode: 'cors', dest: 'empty' }],
    ['one mark alone: site', { site: 'cross-site' }],
    ['one mark alone: mode', { mode: 'no-cors' }],
    ['one mark alone: dest', { dest: 'empty' }],
    ['one mark alone: user', { user: '?1' }],
    ['a mark with an unknown value', { site: 'Same-Origin' }],
  ])('gets nothing: %s', (_, marks, method = 'GET') => {
    expect(ask(marks, { method })).toEqual(FORBIDDEN)
    expect(ask(marks, { method, mode: 'app' })).toEqual(CUT)
  })

  it('opens the approval page as a whole page', () => {
    const target = '/connect/AbC-_019?key=k'
    for (const site of ['none', 'cross-site', 'same-origin']) {
      expect(ask({ ...NAVIGATION, site }, { target })).toMatchObject({ kind: 'pass', caller: { kind: 'self' } })
    }
    expect(ask(NAVIGATION, { target, mode: 'app' })).toEqual(CUT)
  })

  it.each<[string, Parameters<typeof ask>[0], Parameters<typeof ask>[1]]>([
    ['in a frame', { ...NAVIGATION, dest: 'iframe' }, {}],
    ['by a post', NAVIGATION, { method: 'POST' }],
    ['by an upgrade', NAVIGATION, { upgrade: true }],
    ['by an image', { site: 'cross-site', mode: 'no-cors', dest: 'image' }, {}],
    ['deeper than the page', NAVIGATION, { target: '/connect/abc/state' }],
    ['without an id', NAVIGATION, { target: '/connect/' }],
    ['with dots', NAVIGATION, { target: '/connect/..' }],
    ['with an encoded id', NAVIGATION, { target: '/connect/%61' }],
  ])('does not open it %s', (_, marks, options) => {
    expect(ask(marks, { target: '/connect/abc', ...options })).toEqual(FORBIDDEN)
  })

  it("passes the approval page's own requests as the engine's page", () => {
    for (const [mode, dest] of [
      ['cors', 'empty'],
      ['same-origin', 'empty'],
      ['no-cors', 'style'],
      ['no-cors', 'image'],
    ]) {
      const decision = ask({ site: 'same-origin', mode, dest }, { target: '/connect/abc/state' })
      expect(decision).toMatchObject({ kind: 'pass', caller: { kind: 'self' }, headers: {} })
    }
  })

  it('believes no mark that came twice', () => {
    const rawHeaders = ['Host', '127.0.0.1:19570', 'Sec-Fetch-Site', 'same-origin', 'sec-fetch-site', 'same-origin']
    const request = { method: 'GET', target: '/health', rawHeaders, upgrade: false }
    expect(decideRequest(request, NOBODY, { port: 19570, mode: 'page' })).toEqual(FORBIDDEN)
  })

  it("is not seen in Node's own fetch, which sends Sec-Fetch-Mode: cors and nothing else", () => {
    expect(ask({ mode: 'cors' })).toMatchObject({ kind: 'pass', caller: { kind: 'local' } })
    expect(ask({ mode: 'cors' }, { mode: 'app' })).toMatchObject({ kind: 'pass', caller: { kind: 'local' } })
  })
})
