import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOrigin } from './index.js'

describe('parseOrigin', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['HTTPS://Shop.EXAMPLE', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://shop.example:80/', 'http://shop.example'],
    ['http://localhost:5001', 'http://localhost:5001'],
    ['https://shop.example:8443/path?query#fragment', 'https://shop.example:8443'],
    ['https://größe.example', 'https://xn--gre-6ka8i.example'],
    ['http://[::1]:80', 'http://[::1]'],
  ])('reads %s as %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin)
  })

  it.each([
    '',
    'null',
    'shop.example',
    'ftp://shop.example',
    'file:///etc/passwd',
    'chrome-extension://abc',
    'tauri://localhost',
    'https://',
    '//',
    'https://user@shop.example',
    'https://user:pass@shop.example',
    `https://${'a'.repeat(300)}.example`,
  ])('refuses %s', (text) => {
    expect(parseOrigin(text)).toBeNull()
  })

  it('never throws, and what it returns reads as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        const origin = parseOrigin(text)
        if (origin !== null) expect(parseOrigin(origin)).toBe(origin)
      }),
    )
  })
})
