import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRegistrationToken, readRegistrationToken } from './index.js'

describe('the registration token', () => {
  it('is base64 of { server, token } and is accepted whole or as its inner token', () => {
    const blob = formatRegistrationToken('ws://127.0.0.1:19570', 'one-time')
    expect(JSON.parse(Buffer.from(blob, 'base64').toString())).toEqual({
      server: 'ws://127.0.0.1:19570',
      token: 'one-time',
    })
    expect(readRegistrationToken(blob)).toBe('one-time')
    expect(readRegistrationToken('one-time')).toBe('one-time')
  })

  it('reads any text without throwing, and no endless one', () => {
    fc.assert(fc.property(fc.string(), (text) => void readRegistrationToken(text)))
    expect(readRegistrationToken('a'.repeat(1_025))).toBeNull()
  })
})
