import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chromiumForTests, findChromium } from './chromium.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leuria-chromium-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function program(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, 0o755)
  return path
}

describe('findChromium', () => {
  it('takes CHROMIUM before PATH', () => {
    program('chromium')
    const own = program('my-browser')
    expect(findChromium({ CHROMIUM: own, PATH: folder })).toBe(own)
  })

  it.each(['chromium', 'chromium-browser', 'google-chrome'])('finds %s on PATH', (name) => {
    const path = program(name)
    expect(findChromium({ PATH: ['/nowhere', folder].join(delimiter) })).toBe(path)
  })

  it('takes a CHROMIUM that does not exist as none', () => {
    program('chromium')
    expect(findChromium({ CHROMIUM: join(folder, 'gone'), PATH: folder })).toBeNull()
  })

  it('takes an empty CHROMIUM as none', () => {
    program('chromium')
    expect(findChromium({ CHROMIUM: '', PATH: folder })).toBeNull()
  })
})

describe('chromiumForTests', () => {
  const none = { CHROMIUM: '/nowhere/chromium' }

  it('says null where there is none, so that tests are skipped', () => {
    expect(chromiumForTests(none)).toBeNull()
    expect(chromiumForTests({ ...none, CI: 'false' })).toBeNull()
  })

  it('fails under CI where there is none, and says how to get one', () => {
    expect(() => chromiumForTests({ ...none, CI: 'true' })).toThrow(/apt-get install chromium/)
  })
})
