import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatConnectLink, formatSiteLink, parseLink, parseOrigin } from './index.js'

const NONCE = 'AAECAwQFBgcICQoLDA0ODw'
const ORIGIN = 'https%3A%2F%2Fshop.example'
const shop = parseOrigin('https://shop.example')

describe('parseLink', () => {
  // FC-05 a: some systems add a slash after the host.
  it.each([
    `leuria://connect?origin=${ORIGIN}&app=Shop&nonce=${NONCE}`,
    `leuria://connect/?origin=${ORIGIN}&app=Shop&nonce=${NONCE}`,
    `LEURIA://CONNECT?origin=${ORIGIN}&app=Shop&nonce=${NONCE}`,
  ])('reads %s', (text) => {
    expect(parseLink(text)).toEqual({ kind: 'connect', origin: shop, app: 'Shop', nonce: NONCE })
  })

  // FC-05 e: both spellings of a space, reserved characters, decoded once.
  it.each(['AT%26T%20%2B%20Caf%C3%A9%20%25', 'AT%26T+%2B+Caf%C3%A9+%25'])('decodes the name %s once', (app) => {
    expect(parseLink(`leuria://connect?origin=${ORIGIN}&nonce=${NONCE}&app=${app}`)).toMatchObject({
      app: 'AT&T + Café %',
    })
  })

  it('reads what a site needs and drops what it does not know', () => {
    const link = parseLink(
      `leuria://connect?origin=${ORIGIN}&nonce=${NONCE}&tools=1&images=1&effort=light&context=8000&gpu=yes`,
    )
    expect(link).toMatchObject({ needs: { tools: true, images: true, effort: 'light', context: 8000 } })
  })

  it('reads a settings link', () => {
    expect(parseLink(formatSiteLink('https://shop.example'))).toEqual({ kind: 'site', origin: shop })
  })

  it.each([
    ['another scheme', `https://connect?origin=${ORIGIN}&nonce=${NONCE}`],
    ['another action', `leuria://pay?origin=${ORIGIN}&nonce=${NONCE}`],
    ['no query', 'leuria://connect'],
    ['no origin', `leuria://connect?nonce=${NONCE}`],
    ['an origin that is no site', `leuria://connect?origin=file%3A%2F%2F%2Fetc&nonce=${NONCE}`],
    ['no nonce', `leuria://connect?origin=${ORIGIN}`],
    ['a nonce that is too short', `leuria://connect?origin=${ORIGIN}&nonce=${NONCE.slice(1)}`],
    ['a nonce that is too long', `leuria://connect?origin=${ORIGIN}&nonce=${'a'.repeat(129)}`],
    ['a nonce with other characters', `leuria://connect?origin=${ORIGIN}&nonce=${NONCE.slice(1)}%20`],
    ['a path', `leuria://connect/now?origin=${ORIGIN}&nonce=${NONCE}`],
    ['user info', `leuria://me@connect?origin=${ORIGIN}&nonce=${NONCE}`],
    ['a huge parameter', `leuria://connect?origin=${ORIGIN}&nonce=${NONCE}&app=${'a'.repeat(5_000)}`],
  ])('refuses a link with %s', (_, text) => {
    expect(parseLink(text)).toBeNull()
  })

  it('reads back every name that it writes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (app) => {
        const link = { origin: shop ?? expect.fail(), nonce: NONCE, app: app.trim() }
        const { app: read } = { app: '', ...parseLink(formatConnectLink(link)) }
        expect(read).toBe(link.app)
      }),
    )
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseLink(`leuria://connect?${text}`)))
  })
})
