import { describe, expect, it } from 'vitest'
import { decideRequest, type GateDecision } from './index.js'

const NOBODY = { granted: () => false, named: () => false }

function ask(hosts: readonly string[], options: { port?: number; upgrade?: boolean } = {}): GateDecision {
  const { port = 19570, upgrade = false } = options
  const rawHeaders = hosts.flatMap((host, at) => [at % 2 === 0 ? 'Host' : 'hOST', host])
  const target = upgrade ? '/webmcp/register' : '/health'
  return decideRequest({ method: 'GET', target, rawHeaders, upgrade }, NOBODY, { port, mode: 'page' })
}

// FC-03
describe('Host: every request must carry one of the two forms', () => {
  it.each(['127.0.0.1:19570', 'localhost:19570'])('lets %s in', (host) => {
    expect(ask([host])).toMatchObject({ kind: 'pass', path: '/health' })
    expect(ask([host], { upgrade: true })).toMatchObject({ kind: 'pass', path: '/webmcp/register' })
  })

  it.each([
    ['a foreign name', ['evil.example:19570']],
    ['a name under localhost', ['localhost.evil.example:19570']],
    ['a name that begins with the address', ['127.0.0.1.evil.example:19570']],
    ['a name that ends in localhost', ['evil.localhost:19570']],
    ['no port', ['localhost']],
    ['no port, by address', ['127.0.0.1']],
    ['another port', ['127.0.0.1:19571']],
    ['a longer port', ['127.0.0.1:195700']],
    ['a dot at the end', ['localhost.:19570']],
    ['the IPv6 loopback', ['[::1]:19570']],
    ['the unspecified address', ['0.0.0.0:19570']],
    ['another loopback address', ['127.0.0.2:19570']],
    ['the address in short', ['127.1:19570']],
    ['upper case', ['LOCALHOST:19570']],
    ['a user name', ['x@localhost:19570']],
    ['a blank behind it', ['localhost:19570 ']],
    ['two in one', ['localhost:19570, localhost:19570']],
    ['an empty one', ['']],
    ['none', []],
    ['two right ones', ['127.0.0.1:19570', '127.0.0.1:19570']],
    ['a right one before a wrong one', ['127.0.0.1:19570', 'evil.example:19570']],
    ['a wrong one before a right one', ['evil.example:19570', '127.0.0.1:19570']],
  ])('refuses %s, for requests and upgrades', (_, hosts) => {
    const refusal = { kind: 'refuse', status: 403, error: 'host not allowed', headers: {} }
    expect(ask(hosts)).toEqual(refusal)
    expect(ask(hosts, { upgrade: true })).toEqual(refusal)
  })

  it('moves with the port', () => {
    expect(ask(['127.0.0.1:20000'], { port: 20000 })).toMatchObject({ kind: 'pass' })
    expect(ask(['127.0.0.1:19570'], { port: 20000 })).toMatchObject({ error: 'host not allowed' })
  })

  it('takes the forms without a port at port 80 only, where clients leave it out', () => {
    expect(ask(['localhost'], { port: 80 })).toMatchObject({ kind: 'pass' })
    expect(ask(['127.0.0.1:80'], { port: 80 })).toMatchObject({ kind: 'pass' })
    expect(ask(['localhost'], { port: 443 })).toMatchObject({ error: 'host not allowed' })
  })

  describe('in app mode', () => {
    const askApp = (more: readonly string[], upgrade = false): GateDecision => {
      const rawHeaders = ['Host', 'x.localhost:19570', ...more]
      return decideRequest({ method: 'GET', target: '/health', rawHeaders, upgrade }, NOBODY, {
        port: 19570,
        mode: 'app',
      })
    }
    const SEC_FETCH = ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'no-cors', 'Sec-Fetch-Dest', 'empty']
    const ORIGIN = ['Origin', 'http://x.localhost:19570']
    const ENCODING = ['Accept-Encoding', 'gzip, deflate']

    it.each([
      ['any', []],
      ['one with an Origin', ORIGIN],
      ["Node's fetch", ['sec-fetch-mode', 'cors']],
    ])('a program is told so: %s', (_, headers) => {
      for (const upgrade of [false, true])
        expect(askApp(headers, upgrade)).toEqual({
          kind: 'refuse',
          status: 403,
          error: 'host not allowed',
          headers: {},
        })
    })

    it.each([
      ['one that marks its requests', SEC_FETCH],
      ['and names its origin', [...SEC_FETCH, ...ORIGIN]],
      // To a name that isn't trustworthy, a rebound one or 0.0.0.0, browsers send no marks.
      ['one that does not mark them', ENCODING],
      ['and names its origin', [...ENCODING, ...ORIGIN]],
    ])('what may be a browser gets no answer: %s', (_, headers) => {
      for (const upgrade of [false, true]) expect(askApp(headers, upgrade)).toEqual({ kind: 'cut' })
    })
  })
})
