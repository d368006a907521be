/** An engine says that it listens as soon as it does: with the name of its AI, and never of one that won't run. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type Listening } from './index.js'

let home: string
let engine: Engine | null = null
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-listening-'))
})
afterEach(async () => {
  await engine?.close()
  engine = null
  await rm(home, { recursive: true, force: true })
})

const write = (file: string, value: object): Promise<void> =>
  writeFile(join(home, file), JSON.stringify({ version: 1, ...value }), { mode: 0o600 })

describe('the word that it listens', () => {
  it.each([
    ['the demo AI', undefined, 'Demo AI (no model)'],
    ['a service', 'llm:box', 'Box'],
    ["a service's model", 'llm:box/qwen3', 'Box · qwen3'],
    ['a service that is gone', 'llm:gone', 'gone'],
  ])('tells the name of %s as the engine does', async (_, agent, name) => {
    await write('providers.json', {
      providers: [{ id: 'box', kind: 'openai', name: 'Box', baseUrl: 'http://127.0.0.1:9/v1' }],
    })
    await write('config.json', { agent })
    const heard: Listening[] = []
    engine = await createEngine({ home, port: 0, listening: (at) => heard.push(at) })
    expect(heard).toEqual([{ port: engine.port, url: engine.url, agentName: name }])
    expect(engine.agentName).toBe(name)
  })

  it('answers what is asked right then', async () => {
    let answer: Promise<Response> | undefined
    engine = await createEngine({
      home,
      port: 0,
      listening: ({ url }) => {
        answer = fetch(`${url}/health`)
      },
    })
    expect((await answer)?.status).toBe(200)
  })

  it.each(['config.json', 'providers.json', 'grants.json', 'limits.json', 'usage.json'])(
    'is not said before a start that a newer %s ends',
    async (file) => {
      await write(file, { version: 2 })
      const heard: Listening[] = []
      const start = createEngine({ home, port: 0, listening: (at) => heard.push(at) })
      await expect(start).rejects.toMatchObject({ code: 'newer_version' })
      expect(heard).toEqual([])
    },
  )

  it.each(['config.json', 'providers.json', 'grants.json', 'limits.json', 'usage.json'])(
    'is not said before a start that an unreadable %s ends',
    async (file) => {
      await mkdir(join(home, file))
      const heard: Listening[] = []
      const start = createEngine({ home, port: 0, listening: (at) => heard.push(at) })
      await expect(start).rejects.toMatchObject({ code: 'unreadable' })
      expect(heard).toEqual([])
    },
  )

  it.each([
    ['config.json', '{"version":1,"agent":"llm:box","warm":"yes"}'],
    ['config.json', '{"version":1,"agent":"llm:b'],
    ['config.json', '\uFEFF{"agent":"demo"}'],
    ['providers.json', '{"version":1,"providers":[{"id":"box"}]}'],
    ['grants.json', '[]'],
    ['grants.json', '{"version":1,"grants":{}}'],
    ['usage.json', ''],
  ])('is said of a home with a damaged or unusual %s once that is seen to: %j', async (file, content) => {
    if (file !== 'config.json') await write('config.json', { agent: 'llm:box' })
    await writeFile(join(home, file), content, { mode: 0o600 })
    const heard: Listening[] = []
    engine = await createEngine({ home, port: 0, listening: (at) => heard.push(at) })
    expect(heard).toEqual([{ port: engine.port, url: engine.url, agentName: engine.agentName }])
  })

  it('is said of a home that has to be made', async () => {
    const heard: Listening[] = []
    engine = await createEngine({ home: join(home, 'new'), port: 0, listening: (at) => heard.push(at) })
    expect(heard).toEqual([{ port: engine.port, url: engine.url, agentName: 'Demo AI (no model)' }])
  })

  it.each(['a file', 'a link that leads nowhere', 'a folder in a file'])(
    'is not said of a home that is %s',
    async (what) => {
      const place = join(home, 'place')
      if (what.startsWith('a link')) await symlink(join(home, 'gone', 'further'), place)
      else await writeFile(place, '')
      const heard: Listening[] = []
      const start = createEngine({
        home: what.endsWith('in a file') ? join(place, 'home') : place,
        port: 0,
        listening: (at) => heard.push(at),
      })
      await expect(start).rejects.toMatchObject({ name: 'StateError' })
      expect(heard).toEqual([])
    },
  )

  it('is said of the port in config.json, and ends a start on one that is taken', async () => {
    engine = await createEngine({ home, port: 0 })
    await write('config.json', { port: engine.port })
    const heard: Listening[] = []
    const start = createEngine({ home, listening: (at) => heard.push(at) })
    await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE', port: engine.port })
    expect(heard).toEqual([])
  })

  it('is not said for an AI that there is not', async () => {
    const heard: Listening[] = []
    const start = createEngine({ home, port: 0, defaultAgent: 'nobody', listening: (at) => heard.push(at) })
    await expect(start).rejects.toMatchObject({ code: 'not_found' })
    expect(heard).toEqual([])
  })
})
