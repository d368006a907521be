/** An engine says that it listens as soon as it does: with the name of its AI, and never of one that won't run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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

  it('is not said for an AI that there is not', async () => {
    const heard: Listening[] = []
    const start = createEngine({ home, port: 0, defaultAgent: 'nobody', listening: (at) => heard.push(at) })
    await expect(start).rejects.toMatchObject({ code: 'not_found' })
    expect(heard).toEqual([])
  })
})
