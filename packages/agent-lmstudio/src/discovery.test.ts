import { fakeClock, scriptedModelServer, type ScriptedLmStudioOptions } from '@leuria/testing'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from './stage.fixture.js'
import { createLmStudioService } from './index.js'
import { readLoaded, readOpenAi, readV0, readV1 } from './lm-studio-api.js'

const stage = openStage()
afterEach(() => stage.close())

const look = async (options: ScriptedLmStudioOptions) => {
  const server = await stage.server(options)
  return stage.service(server).refresh()
}

const models = [
  { key: 'qwen/qwen3-4b', displayName: 'Qwen3 4B', params: '4B' },
  { key: 'google/gemma-3-27b', vision: true, tools: false, params: '27B', instances: ['gemma'], loadedContext: 8_192 },
  { key: 'text-embedding-nomic-embed-text-v1.5', type: 'embedding', params: null, maxContext: 2_048 },
] as const

describe('what is known of each model', () => {
  it('comes from its newest interface, loaded models first', async () => {
    expect((await look({ models })).models).toEqual([
      {
        id: 'google/gemma-3-27b',
        name: 'google/gemma-3-27b',
        type: 'chat',
        local: true,
        loaded: true,
        images: true,
        contextTokens: 8_192,
        billions: 27,
        sizeBytes: 2_500_000_000,
      },
      {
        id: 'qwen/qwen3-4b',
        name: 'Qwen3 4B',
        type: 'chat',
        local: true,
        loaded: false,
        tools: true,
        images: false,
        contextTokens: 32_768,
        billions: 4,
        sizeBytes: 2_500_000_000,
      },
      {
        id: 'text-embedding-nomic-embed-text-v1.5',
        name: 'text-embedding-nomic-embed-text-v1.5',
        type: 'embedding',
        local: true,
        loaded: false,
        contextTokens: 2_048,
        sizeBytes: 2_500_000_000,
      },
    ])
  })

  it('comes from the older interface where there is no newer one', async () => {
    expect((await look({ models, lmStudio: { no_v1: true } })).models).toEqual([
      {
        id: 'google/gemma-3-27b',
        name: 'gemma-3-27b',
        type: 'chat',
        local: true,
        loaded: true,
        images: true,
        contextTokens: 8_192,
      },
      {
        id: 'qwen/qwen3-4b',
        name: 'qwen3-4b',
        type: 'chat',
        local: true,
        loaded: false,
        tools: true,
        images: false,
        contextTokens: 32_768,
      },
      {
        id: 'text-embedding-nomic-embed-text-v1.5',
        name: 'text-embedding-nomic-embed-text-v1.5',
        type: 'embedding',
        local: true,
        loaded: false,
        images: false,
        contextTokens: 2_048,
      },
    ])
  })

  it('is little where it only speaks OpenAI', async () => {
    const found = await look({ models, lmStudio: { no_v1: true, no_v0: true } })
    expect(found.models.map(({ id, type, loaded }) => ({ id, type, loaded }))).toEqual([
      { id: 'qwen/qwen3-4b', type: 'chat', loaded: undefined },
      { id: 'google/gemma-3-27b', type: 'chat', loaded: undefined },
      { id: 'text-embedding-nomic-embed-text-v1.5', type: 'embedding', loaded: undefined },
    ])
  })

  it.each([{}, { no_v1: true }, { no_v1: true, no_v0: true }])(
    'survives entries that are none (%j)',
    async (lmStudio) => {
      const found = await look({ lmStudio: { ...lmStudio, broken_entries: true } })
      expect(found.models.map(({ id }) => id)).toEqual(['qwen/qwen3-4b'])
    },
  )

  it('is an empty list where it has none', async () => {
    expect(await look({ models: [] })).toEqual({ state: 'running', models: [] })
  })
})

describe('where it is', () => {
  it('is its usual port', () => {
    expect(createLmStudioService({ clock: fakeClock() })).toMatchObject({
      id: 'lmstudio',
      kind: 'lmstudio',
      name: 'LM Studio',
      baseUrl: 'http://127.0.0.1:1234/v1',
    })
  })

  it.each(['http://box:1/v1', 'http://box:1/v1/', 'http://box:1', 'http://box:1/'])(
    'is where %s was saved',
    (baseUrl) => {
      const provider = { id: 'gpu', name: 'Box', baseUrl }
      const service = createLmStudioService({ clock: fakeClock(), provider })
      expect(service).toMatchObject({ baseUrl: 'http://box:1/v1', id: 'gpu', kind: 'lmstudio', name: 'Box' })
    },
  )

  it('sends a saved key, and says when it is refused', async () => {
    const server = await stage.server({ key: 'secret' })
    const provider = { id: 'lmstudio', name: 'LM Studio', baseUrl: server.url }
    const refused = await stage.service(server, { provider }).refresh()
    expect(refused).toMatchObject({
      state: 'unavailable',
      problem: expect.stringContaining('refused the API key') as string,
    })
    const service = stage.service(server, { provider: { ...provider, apiKey: 'secret' } })
    expect(await service.refresh()).toMatchObject({ state: 'running' })
  })

  it('says when something else answers there', async () => {
    const server = await scriptedModelServer({ models: null })
    expect(await stage.service(server).refresh()).toMatchObject({ state: 'unavailable', models: [] })
    await server.close()
  })
})

describe('parsers', () => {
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({ models: fc.array(fc.jsonValue()), data: fc.array(fc.jsonValue()) }),
    fc.record({
      models: fc.array(fc.record({ key: fc.string(), loaded_instances: fc.jsonValue(), capabilities: fc.jsonValue() })),
      data: fc.array(fc.record({ id: fc.string(), state: fc.jsonValue(), capabilities: fc.jsonValue() })),
    }),
  )
  it('take anything without throwing, and keep only models with an id', () => {
    fc.assert(
      fc.property(body, (value) => {
        for (const read of [readV1, readV0, readOpenAi]) {
          expect((read(value, true) ?? []).every(({ info }) => info.id !== '')).toBe(true)
        }
        expect(readLoaded(value) === null || readLoaded(value) !== '').toBe(true)
      }),
    )
  })
})
