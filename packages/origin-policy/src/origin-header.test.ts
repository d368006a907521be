import { describe, expect, it } from 'vitest'
import { decideRequest, type EngineMode, type GateDecision } from './index.js'

const SHOP = 'https://shop.example'
const SITE = { granted: (origin: string) => origin === SHOP, named: () => false }

function ask(origins: readonly string[], options: { mode?: EngineMode; port?: number } = {}): GateDecision {
  const { mode = 'page', port = 19570 } = options
  const rawHeaders = ['Host', `127.0.0.1:${port}`, ...origins.flatMap((origin) => ['Origin', origin])]
  return decideRequest({ method: 'GET', target: '/health', rawHeaders, upgrade: false }, SITE, { port, mode })
}

describe('Origin', () => {
  it.each(['https://shop.example', 'HTTPS://Shop.Example', 'https://shop.example:443'])(
    'compares %s in normal form and echoes that',
    (value) => {
      for (const mode of ['page', 'app'] as const) {
        expect(ask([value], { mode })).toMatchObject({
          kind: 'pass',
          caller: { kind: 'site', origin: SHOP },
          headers: { 'access-control-allow-origin': SHOP },
        })
      }
    },
  )

  // FC-04 b
  it.each([
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.evil.test',
    'https://myshop.example',
    'https://shop.example.',
  ])('does not take %s for its look-alike', (value) => {
    expect(ask([value], { mode: 'app' })).toMatchObject({ status: 403, error: null })
  })

  it('takes a missing and an empty one for none', () => {
    expect(ask([])).toMatchObject({ kind: 'pass', caller: { kind: 'local' }, headers: {} })
    expect(ask([''])).toMatchObject({ kind: 'pass', caller: { kind: 'local' }, headers: {} })
  })

  it.each([
    ['null', ['null']],
    ['an extension', ['chrome-extension://abcdefghijklmnop']],
    ['a file', ['file://']],
    ['the desktop window outside /admin/', ['tauri://localhost']],
    ['a path', ['https://shop.example/a']],
    ['a slash at the end', ['https://shop.example/']],
    ['a user name', ['https://me@shop.example']],
    ['a backslash', ['https:\\\\shop.example']],
    ['a list', ['https://shop.example, https://other.example']],
    ['a blank', ['https://shop.example ']],
    ['a host that is none', ['https://shop example']],
    ['an impossible port', ['https://shop.example:99999']],
    ['no host', ['https://']],
    ['a very long one', [`https://${'a'.repeat(400)}.example`]],
    ['two', [SHOP, SHOP]],
    ['an empty one beside a right one', ['', SHOP]],
  ])('refuses %s with 403, without CORS, and without a word in app mode', (_, origins) => {
    expect(ask(origins)).toEqual({ kind: 'refuse', status: 403, error: 'origin not allowed', headers: {} })
    expect(ask(origins, { mode: 'app' })).toEqual({ kind: 'refuse', status: 403, error: null, headers: {} })
  })

  it.each(['http://127.0.0.1:19570', 'http://localhost:19570', 'HTTP://LOCALHOST:19570'])(
    'knows %s as its own page, without CORS',
    (value) => {
      expect(ask([value])).toMatchObject({ kind: 'pass', caller: { kind: 'self' }, headers: {} })
    },
  )

  it.each(['https://127.0.0.1:19570', 'http://127.0.0.1:19571', 'http://127.0.0.1', 'http://[::1]:19570'])(
    'takes %s for a site like any other',
    (value) => {
      expect(ask([value])).toMatchObject({ caller: { kind: 'site' } })
      expect(ask([value], { mode: 'app' })).toMatchObject({ status: 403, error: null })
    },
  )

  it('knows its own page at port 80, which origins leave out', () => {
    expect(ask(['http://localhost'], { port: 80 })).toMatchObject({ caller: { kind: 'self' } })
  })

  it('keeps telling origins apart after hundreds of others', () => {
    for (let at = 0; at < 600; at += 1) {
      expect(ask([`https://site-${at}.example`])).toMatchObject({ caller: { origin: `https://site-${at}.example` } })
      expect(ask([SHOP], { mode: 'app' })).toMatchObject({ caller: { origin: SHOP } })
      expect(ask(['null'])).toMatchObject({ error: 'origin not allowed' })
    }
  })
})
