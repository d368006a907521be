import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedEnvironment } from './index.js'

describe('allowedEnvironment', () => {
  it('keeps what a program needs to run and leaves out keys, tokens and hooks', () => {
    const kept = { PATH: '/bin', LANG: 'de_DE.UTF-8', LC_TIME: 'C', https_proxy: 'http://proxy', TZ: 'UTC' }
    const dropped = {
      LEURIA_ADMIN_TOKEN: 'x',
      OPENAI_API_KEY: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      NODE_OPTIONS: '--require /x',
      LD_PRELOAD: '/x',
      SSH_AUTH_SOCK: '/x',
      DBUS_SESSION_BUS_ADDRESS: 'x',
      CLAUDECODE: '1',
      HOME: '/home/me',
    }
    expect(allowedEnvironment({ ...kept, ...dropped })).toEqual(kept)
  })

  it("puts the caller's own on top, but never one of the engine's", () => {
    const added = { PATH: '/opt', GEMINI_API_KEY: 'mine', LEURIA_ADMIN_TOKEN: 'x', leuria_home: 'x' }
    expect(allowedEnvironment({ PATH: '/bin' }, added)).toEqual({ PATH: '/opt', GEMINI_API_KEY: 'mine' })
  })

  it.each([{ 'A=B': 'x' }, { '': 'x' }, { A: 'x\0y' }])('refuses what no system takes: %j', (added) => {
    expect(() => allowedEnvironment({}, added)).toThrow(TypeError)
  })

  it('lets no unlisted name through, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z_]{1,20}$/), (name) => {
        const listed =
          /^(PATH|LANG|LANGUAGE|TZ|TERM|COLORTERM|NO_COLOR|LC_.*|.*PROXY|SSL_CERT.*|WINDIR|COMSPEC|PATHEXT)$/i
        if (!listed.test(name)) expect(allowedEnvironment({ [name]: 'x' })).toEqual({})
      }),
    )
  })
})
