import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeFs, openConfig, openFolder, openProviders, resolveHome } from './index.js'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'leuria-home-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777

describe('resolveHome', () => {
  it('is LEURIA_HOME when that says something, else .leuria in the user’s folder', () => {
    expect(resolveHome({ LEURIA_HOME: '/srv/leuria' })).toBe('/srv/leuria')
    expect(resolveHome({ LEURIA_HOME: 'here/.' })).toBe(resolve('here'))
    for (const blank of [undefined, '', '  '])
      expect(resolveHome({ LEURIA_HOME: blank })).toBe(join(homedir(), '.leuria'))
  })
})

describe('openFolder', () => {
  it('makes a private folder and private ones above it', async () => {
    await openFolder(join(parent, 'a', 'b'))
    expect(await modeOf(join(parent, 'a'))).toBe(0o700)
    expect(await modeOf(join(parent, 'a', 'b'))).toBe(0o700)
  })

  it('closes one that others can look into', async () => {
    await mkdir(join(parent, 'a'))
    await chmod(join(parent, 'a'), 0o755)
    await openFolder(join(parent, 'a'))
    expect(await modeOf(join(parent, 'a'))).toBe(0o700)
  })

  it('says in words why it can not be made', async () => {
    await writeFile(join(parent, 'file'), '')
    await expect(openFolder(join(parent, 'file', 'home'))).rejects.toMatchObject({ code: 'write_failed' })
    const readOnly = { ...nodeFs, makeFolder: () => Promise.reject(Object.assign(new Error('no'), { code: 'EROFS' })) }
    await expect(openFolder(join(parent, 'new'), { fs: readOnly })).rejects.toMatchObject({
      code: 'not_writable',
      message: expect.stringContaining(join(parent, 'new')) as unknown,
    })
  })

  it('goes on when permissions can not be changed, and says so', async () => {
    const log: string[] = []
    await chmod(parent, 0o755)
    const fs = { ...nodeFs, setMode: () => Promise.reject(new Error('no')) }
    await openFolder(parent, { fs, log: (line) => log.push(line) })
    expect(log).toHaveLength(1)
  })
})

describe('the files of the home', () => {
  it('config.json: unknown keys stay when one is changed', async () => {
    await writeFile(join(parent, 'config.json'), '{"port":19571,"embed":"off","ais":["demo"]}')
    const config = await openConfig({ home: parent })
    expect(config.value.port).toBe(19_571)
    await config.update((value) => ({ ...value, agent: 'demo' }))
    await config.close()
    expect(JSON.parse(await readFile(join(parent, 'config.json'), 'utf8'))).toEqual({
      version: 1,
      port: 19_571,
      embed: 'off',
      ais: ['demo'],
      agent: 'demo',
    })
  })

  it('providers.json: is private, and filled in where another engine left something out', async () => {
    await writeFile(join(parent, 'providers.json'), '{"providers":[{"id":"x","name":"X","baseUrl":"http://x/v1"}]}')
    const providers = await openProviders({ home: parent })
    expect(providers.value.providers).toEqual([{ id: 'x', kind: 'openai', name: 'X', baseUrl: 'http://x/v1' }])
    expect(await modeOf(join(parent, 'providers.json'))).toBe(0o600)
    await providers.close()
  })
})
