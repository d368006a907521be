import { fakeClock, type ScriptedOllamaOptions } from '@leuria/testing'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from './stage.fixture.js'
import { createOllamaService } from './index.js'
import { readModelEntries, readOpenAiIds, readShownModel } from './ollama-api.js'

const stage = openStage()
afterEach(() => stage.close())

const look = async (options: ScriptedOllamaOptions) => {
  const server = await stage.server(options)
  return stage.service(server).refresh()
}

describe('what is known of each model', () => {
  it('comes from its native interface', async () => {
    const { models } = await look({
      models: [
        { name: 'llama3.2:latest', capabilities: ['completion', 'tools'] },
        { name: 'gemma3:27b', capabilities: ['completion', 'vision'], parameterSize: '27.4B', loaded: true },
        { name: 'qwen3:8b', capabilities: ['completion', 'tools', 'thinking'], numCtx: 16_384, contextLength: 40_960 },
        { name: 'nomic-embed-text:latest', capabilities: ['embedding'], contextLength: 2_048, parameterSize: '137M' },
        { name: 'gpt-oss:120b-cloud', remoteHost: 'https://ollama.com:443', parameterSize: '116.8B' },
      ],
    })
    const same = {
      type: 'chat',
      local: true,
      loaded: false,
      tools: true,
      images: false,
      thinking: false,
      sizeBytes: 2_019_393_189,
    }
    expect(models).toEqual([
      { ...same, id: 'llama3.2:latest', name: 'llama3.2', contextTokens: 131_072, billions: 3.2 },
      {
        ...same,
        id: 'gemma3:27b',
        name: 'gemma3:27b',
        tools: false,
        images: true,
        loaded: true,
        contextTokens: 4_096,
        billions: 27.4,
      },
      { ...same, id: 'qwen3:8b', name: 'qwen3:8b', thinking: true, contextTokens: 16_384, billions: 3.2 },
      {
        ...same,
        id: 'nomic-embed-text:latest',
        name: 'nomic-embed-text',
        type: 'embedding',
        tools: false,
        contextTokens: 2_048,
        billions: 0.137,
      },
      {
        ...same,
        id: 'gpt-oss:120b-cloud',
        name: 'gpt-oss:120b-cloud',
        local: false,
        loaded: undefined,
        contextTokens: 131_072,
        billions: 116.8,
      },
    ])
  })

  it('is guessed by name and family where the version does not say what a model can do', async () => {
    const { models } = await look({
      ollama: { no_capabilities: true },
      models: [
        { name: 'llama3.2:latest' },
        { name: 'mxbai-embed-large:latest' },
        { name: 'all-minilm:latest', family: 'bert' },
      ],
    })
    expect(models.map(({ type, tools }) => ({ type, tools }))).toEqual([
      { type: 'chat', tools: undefined },
      { type: 'embedding', tools: undefined },
      { type: 'embedding', tools: undefined },
    ])
  })

  it('is little where the server only speaks OpenAI', async () => {
    const { state, models } = await look({
      ollama: { no_native: true },
      models: [{ name: 'a:1b' }, { name: 'bge-m3:latest' }],
    })
    expect(state).toBe('running')
    expect(models).toEqual([
      { id: 'a:1b', name: 'a:1b', type: 'chat', local: true },
      { id: 'bge-m3:latest', name: 'bge-m3', type: 'embedding', local: true },
    ])
  })

  it('does not say what is in memory where the version does not', async () => {
    const { models } = await look({ ollama: { no_running_list: true } })
    expect(models[0]?.loaded).toBeUndefined()
  })

  it.each([{ show_fails: true }, { broken_entries: true, show_fails: true }])('survives %j', async (ollama) => {
    const { state, models } = await look({ ollama })
    expect(state).toBe('running')
    expect(models).toMatchObject([{ id: 'llama3.2:latest', type: 'chat', billions: 3.2 }])
    expect(models[0]?.tools).toBeUndefined()
  })

  it('is asked for once: a model that did not change is not looked at again', async () => {
    const server = await stage.server({ models: [{ name: 'a:1b' }, { name: 'b:1b' }] })
    const service = stage.service(server)
    await service.refresh()
    await service.refresh()
    expect(server.requests.filter((request) => request === 'POST /api/show')).toHaveLength(2)
    server.inventory = [...server.inventory, { name: 'c:1b' }]
    await service.refresh()
    expect(server.requests.filter((request) => request === 'POST /api/show')).toHaveLength(3)
  })

  it('is not waited for: models are listed without facts that do not come, and asked about again', async () => {
    const server = await stage.server({ ollama: { show_stalls: true } })
    const clock = fakeClock()
    const service = stage.service(server, { clock })
    const found = service.refresh()
    await clock.advanceAsync(1_500)
    while (!server.requests.includes('POST /api/show')) await clock.advanceAsync(0)
    await clock.advanceAsync(1_500)
    expect((await found).models[0]).toMatchObject({ id: 'llama3.2:latest', loaded: false })
    server.ollama = {}
    expect((await service.refresh()).models[0]).toMatchObject({ tools: true })
  })
})

describe('where it is', () => {
  const urlOf = (env: Record<string, string>) => createOllamaService({ clock: fakeClock(), env }).baseUrl

  it('is its usual port, or where OLLAMA_HOST says', () => {
    expect(urlOf({})).toBe('http://127.0.0.1:11434/v1')
    expect(urlOf({ OLLAMA_HOST: '0.0.0.0:5000' })).toBe('http://127.0.0.1:5000/v1')
  })

  it.each(['http://box:1/v1', 'http://box:1/v1/', 'http://box:1', 'http://box:1/'])(
    'is where %s was saved',
    (baseUrl) => {
      const provider = { id: 'ollama', name: 'Box', baseUrl }
      const service = createOllamaService({ clock: fakeClock(), env: { OLLAMA_HOST: 'other' }, provider })
      expect(service).toMatchObject({ baseUrl: 'http://box:1/v1', id: 'ollama', kind: 'ollama', name: 'Box' })
    },
  )

  it('counts models at another address as not on this computer', async () => {
    const server = await stage.server()
    // 127.0.0.1 by a name that isn't one of this computer's own.
    const service = stage.service({ url: server.url.replace('127.0.0.1', '0.0.0.0') })
    const { models } = await service.refresh()
    expect(models[0]?.local).toBe(false)
  })

  it('sends a saved key and headers', async () => {
    const server = await stage.server({ key: 'secret' })
    const provider = { id: 'ollama', name: 'Ollama', baseUrl: server.url }
    expect(await stage.service(server, { provider }).refresh()).toMatchObject({ state: 'unavailable' })
    expect(await stage.service(server, { provider: { ...provider, apiKey: 'secret' } }).refresh()).toMatchObject({
      state: 'running',
    })
  })
})

describe('parsers', () => {
  it('take anything without throwing, and keep only entries with a name', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.record({ models: fc.array(fc.jsonValue()), data: fc.jsonValue() })),
        (body) => {
          expect((readModelEntries(body) ?? []).every(({ name }) => name !== '')).toBe(true)
          expect((readOpenAiIds(body) ?? []).every((id) => id !== '')).toBe(true)
          expect(() => readShownModel(body)).not.toThrow()
        },
      ),
    )
  })

  it('read what a model shows, whatever else stands there', () => {
    const info = fc.record({
      'general.architecture': fc.oneof(fc.constant('x'), fc.jsonValue()),
      'x.context_length': fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
    })
    fc.assert(
      fc.property(
        info,
        fc.oneof(
          fc.string(),
          fc.integer().map((n) => `num_ctx ${n}`),
        ),
        (model_info, parameters) => {
          const tokens = readShownModel({ model_info, parameters })?.contextTokens
          expect(tokens === undefined || (Number.isFinite(tokens) && tokens > 0)).toBe(true)
        },
      ),
    )
  })
})
