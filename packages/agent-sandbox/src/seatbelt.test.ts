/** Only the text of the profile: no macOS machine runs these tests. */
import { describe, expect, it } from 'vitest'
import { seatbeltProfile } from './seatbelt.js'

describe('seatbeltProfile', () => {
  const profile = seatbeltProfile({
    readable: ['/opt/agent "x"\\y'],
    writable: ['/tmp/s'],
    shown: [{ from: '/Users/me/.codex', to: '/tmp/s/home/.codex' }],
    cwd: '/tmp/s/work',
    users: { passwd: '', group: '' },
  })

  it('denies what it does not name', () => {
    expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
    expect(profile).not.toContain('(subpath "/Users/me")')
  })

  it('lets it write only in its folder and sign-in', () => {
    expect(profile).toContain('(allow file-write* (subpath "/tmp/s") (subpath "/Users/me/.codex"))')
  })

  it('quotes paths', () => {
    expect(profile).toContain('(subpath "/opt/agent \\"x\\"\\\\y")')
  })
})
