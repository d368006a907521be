import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fakeClock, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { CONNECT_LIMIT_MS, exchange, faultOf, HttpFault } from './http-exchange.js'

const never = new AbortController().signal
const withCode = (code: string): Error => Object.assign(new Error(code), { code })

describe('faults', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ENOTFOUND', 'unknown_host'],
    ['EAI_AGAIN', 'unknown_host'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['ETIMEDOUT', 'no_connection'],
    ['EPROTO', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['HPE_INVALID_CONSTANT', 'not_http'],
    ['ECONNRESET', 'lost'],
    ['EPIPE', 'lost'],
  ])('%s is %s', (code, kind) => {
    expect(faultOf(withCode(code), never).kind).toBe(kind)
  })

  it('is an abort whatever the error, once the signal is aborted', () => {
    expect(faultOf(withCode('ECONNRESET'), AbortSignal.abort()).kind).toBe('aborted')
  })

  it('keeps the first cause', () => {
    const cause = withCode('ECONNRESET')
    const fault = faultOf(cause, never)
    expect(fault.cause).toBe(cause)
    expect(faultOf(fault, never)).toBe(fault)
  })
})

describe('connecting', () => {
  it('ends after ten seconds, not before', async () => {
    // Accepts the connection and never begins with TLS.
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const clock = fakeClock()
    let fault: unknown = null
    const done = exchange({
      method: 'GET',
      url: new URL(`https://127.0.0.1:${port}/`),
      headers: {},
      signal: never,
      clock,
    }).catch((error: unknown) => (fault = error))
    while (clock.pending === 0) await settle()
    await clock.advanceAsync(CONNECT_LIMIT_MS - 1)
    expect(fault).toBeNull()
    await clock.advanceAsync(1)
    await done
    expect(fault).toBeInstanceOf(HttpFault)
    expect(fault).toMatchObject({ kind: 'no_connection' })
    silent.close()
  })

  it('does not begin when it is aborted already', async () => {
    const request = {
      method: 'GET',
      url: new URL('http://127.0.0.1:9/'),
      headers: {},
      signal: AbortSignal.abort(),
      clock: fakeClock(),
    } as const
    await expect(exchange(request)).rejects.toMatchObject({ kind: 'aborted' })
  })
})
