import { describe, expect, it } from 'vitest'
import { decideRequest, type EngineMode, type GateDecision } from './index.js'

const SHOP = 'https://shop.example'
const KNOWN = { granted: () => false, named: (origin: string) => origin === SHOP }

function preflight(target: string, options: { origin?: string; mode?: EngineMode } = {}): GateDecision {
  const { origin = SHOP, mode = 'page' } = options
  const rawHeaders = [
    ...['Host', '127.0.0.1:19570', 'Origin', origin],
    ...['Access-Control-Request-Method', 'POST', 'Access-Control-Request-Headers', 'authorization,content-type'],
    ...['Access-Control-Request-Private-Network', 'true'],
    ...['Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Dest', 'empty'],
  ]
  return decideRequest({ method: 'OPTIONS', target, rawHeaders, upgrade: false }, KNOWN, { port: 19570, mode })
}

describe('CORS', () => {
  // FC-01
  it.each(['/session/prepare', '/embed', '/connect/claim', '/session/abc/stream', '/nope'])(
    'answers the preflight of %s completely and asks for no token',
    (target) => {
      const answer = {
        kind: 'preflight',
        headers: {
          'access-control-allow-origin': SHOP,
          vary: 'Origin',
          'access-control-allow-private-network': 'true',
          'access-control-allow-methods': 'GET, POST, OPTIONS',
          'access-control-allow-headers': 'Content-Type, Authorization, Last-Event-ID',
          'access-control-max-age': '600',
        },
      }
      expect(preflight(target)).toEqual(answer)
      expect(preflight(target, { mode: 'app' })).toEqual(answer)
    },
  )

  // FC-01
  it('leaves the preflight of an origin that the app does not know without any CORS header', () => {
    const silence = { kind: 'refuse', status: 403, error: null, headers: {} }
    expect(preflight('/session/prepare', { origin: 'https://evil.example', mode: 'app' })).toEqual(silence)
    expect(preflight('/admin/status', { origin: 'https://evil.example', mode: 'app' })).toEqual(silence)
  })

  // FC-02
  it('hands every route the headers that make its errors readable', () => {
    for (const target of ['/embed', '/nope', '/session/none/prompt']) {
      const rawHeaders = ['host', 'localhost:19570', 'origin', SHOP]
      const request = { method: 'POST', target, rawHeaders, upgrade: false }
      expect(decideRequest(request, KNOWN, { port: 19570, mode: 'page' })).toMatchObject({
        kind: 'pass',
        headers: {
          'access-control-allow-origin': SHOP,
          vary: 'Origin',
          'access-control-allow-private-network': 'true',
        },
      })
    }
  })

  it.each(['tauri://localhost', 'http://tauri.localhost', 'https://tauri.localhost'])(
    'answers the preflight of the desktop window at %s for the admin API, which also deletes',
    (origin) => {
      expect(preflight('/admin/sites?origin=x', { origin, mode: 'app' })).toMatchObject({
        kind: 'preflight',
        headers: {
          'access-control-allow-origin': origin,
          vary: 'Origin',
          'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
        },
      })
    },
  )

  it('answers no preflight of its own page beyond its own paths', () => {
    const origin = 'http://localhost:19570'
    expect(preflight('/health', { origin })).toMatchObject({ kind: 'preflight' })
    expect(preflight('/connect/abc/state', { origin })).toMatchObject({ kind: 'preflight' })
    expect(preflight('/session/prepare', { origin })).toMatchObject({ kind: 'refuse', status: 403 })
  })
})
