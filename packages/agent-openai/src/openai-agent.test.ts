import { AgentError, type OpenOptions } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import {
  type AdapterUnderTest,
  agentAdapterContract,
  collectTurn,
  fakePageTools,
  MODEL_SCENES,
  type ScriptedModelServer,
  scriptedModelServer,
  type ScriptedModelServerOptions,
  textOf,
} from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createOpenAiAgent, createOpenAiService, listModels, type OpenAiProvider, testProvider } from './index.js'

const provider = (baseUrl: string, more: Partial<OpenAiProvider> = {}): OpenAiProvider => {
  return { id: 'scripted', name: 'Scripted', baseUrl, ...more }
}

/** An address where nothing listens. */
async function nowhere(): Promise<string> {
  const server = await scriptedModelServer()
  await server.close()
  return server.url
}

agentAdapterContract(
  'agent-openai',
  async (): Promise<AdapterUnderTest> => {
    const server = await scriptedModelServer({ models: ['test-model'] })
    return {
      adapter: createOpenAiAgent({ provider: provider(server.url), model: 'test-model', clock: systemClock }),
      play(scene) {
        if (scene !== 'leave') server.answer(...MODEL_SCENES[scene])
        return { text: 'a blue mug, please' }
      },
      async close() {
        await server.close()
        // A strict API would have taken every request of every test.
        expect(server.faults).toEqual([])
      },
    }
  },
  {
    // A model has no program that could leave.
    without: ['leave'],
    unavailable: async () => createOpenAiAgent({ provider: provider(await nowhere()), model: 'm', clock: systemClock }),
    hanging: async () => {
      const stalled = await scriptedModelServer({ routes: () => 'stall' })
      const adapter = createOpenAiAgent({ provider: provider(stalled.url), clock: systemClock })
      return { adapter, play: () => ({ text: '' }), close: () => stalled.close() }
    },
  },
)

let server: ScriptedModelServer | undefined
afterEach(async () => server?.close())

async function start(options: ScriptedModelServerOptions = {}): Promise<ScriptedModelServer> {
  server = await scriptedModelServer(options)
  return server
}

const openOptions = (more: Partial<OpenOptions> = {}): OpenOptions => {
  return {
    sessionId: 's',
    tools: fakePageTools(),
    mcp: { url: 'http://127.0.0.1:9/webmcp/mcp', token: 't' },
    signal: new AbortController().signal,
    log: () => undefined,
    ...more,
  }
}

const turn = async (
  url: string,
  options: { model?: string; open?: Partial<OpenOptions>; more?: Partial<OpenAiProvider> } = {},
) => {
  const { model, open, more } = options
  const agent = createOpenAiAgent({ provider: provider(url, more), model, clock: systemClock })
  const session = await agent.open(openOptions(open))
  return collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))
}

describe('names', () => {
  it.each([
    [undefined, 'llm:scripted', 'Scripted'],
    ['org/llama3.2:latest', 'llm:scripted/org/llama3.2:latest', 'Scripted · llama3.2:latest'],
  ])('model %s has the id %s', (model, id, name) => {
    expect(createOpenAiAgent({ provider: provider('http://127.0.0.1:1/v1'), model, clock: systemClock })).toMatchObject(
      { id, name },
    )
  })
})

describe('which model answers', () => {
  it.each([
    ['the one of the id, whatever the session wants', 'fixed', 'chosen', 'fixed'],
    ['the one chosen for the session', undefined, 'chosen', 'chosen'],
    ['the first chat model of the list', undefined, undefined, 'first'],
  ])('%s', async (...[, model, chosen, expected]) => {
    const { url, exchanges } = await start({ models: ['text-embedding-3-small', 'first', 'second'] })
    await turn(url, { model, open: { model: chosen } })
    expect(exchanges[0]?.body.model).toBe(expected)
  })

  it('is said to be missing when there is none to choose', async () => {
    const { url } = await start({ models: [] })
    await expect(turn(url)).rejects.toMatchObject({ code: 'model_missing' })
  })

  it('may be one that is not listed, or the service may keep no list at all', async () => {
    const { url } = await start({ models: null })
    expect(textOf(await turn(url, { model: 'unlisted' }))).toBe('OK')
  })
})

describe('what the session asks for', () => {
  it('reaches the model: system prompt and step limit', async () => {
    const { url, exchanges } = await start({ otherwise: [{ call: { name: 'get_cart' } }] })
    await turn(url, { open: { tools: fakePageTools({ get_cart: {} }), systemPrompt: 'Be brief.', maxTurns: 2 } })
    expect(exchanges).toHaveLength(2)
    expect((exchanges[0]?.body.messages as unknown[])[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })

  it('sends images to a model that is listed as seeing them', async () => {
    const { url, exchanges } = await start({ models: [{ id: 'eye', capabilities: { vision: true } }, 'blind'] })
    for (const model of ['eye', 'blind']) {
      const session = await createOpenAiAgent({ provider: provider(url), model, clock: systemClock }).open(
        openOptions(),
      )
      const attachments = [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] as const
      await collectTurn(session.prompt({ text: 'look', attachments }, AbortSignal.timeout(20_000)))
    }
    expect(exchanges.map(({ body }) => JSON.stringify(body).includes('image_url'))).toEqual([true, false])
  })
})

describe('keys and headers', () => {
  it('go to the service with every request', async () => {
    const { url, exchanges, requests } = await start({ key: 'sk-1' })
    await turn(url, { model: 'm', more: { apiKey: 'sk-1', headers: { 'x-title': 'Leuria' } } })
    expect(requests).toEqual(['GET /v1/models', 'POST /v1/chat/completions'])
    expect(exchanges[0]?.headers['x-title']).toBe('Leuria')
  })

  it.each([undefined, 'sk-wrong'])('refused ones fail at the start, and are not shown (%s)', async (apiKey) => {
    const { url, exchanges } = await start({ key: 'sk-1' })
    const error: unknown = await turn(url, { model: 'm', more: { apiKey } }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'signed_out',
      message: 'Scripted refused the API key: Incorrect API key provided',
    })
    expect(exchanges).toHaveLength(0)
  })
})

describe('a start that ends early', () => {
  it('leaves no request behind', async () => {
    const { url } = await start()
    const signal = AbortSignal.abort()
    const agent = createOpenAiAgent({ provider: provider(url), model: 'm', clock: systemClock })
    await expect(agent.open(openOptions({ signal }))).rejects.toBeInstanceOf(AgentError)
  })
})

describe('listing and testing', () => {
  it('lists what is there', async () => {
    const { url } = await start({ models: ['a', { id: 'b', max_model_len: 100 }] })
    const listing = await listModels(provider(url), { clock: systemClock })
    expect(listing.ok && listing.models?.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('says what works', async () => {
    const { url } = await start({ models: ['a', 'b', 'text-embedding-3-small'] })
    expect(await testProvider(provider(url), { clock: systemClock })).toEqual({ ok: true, model: 'a', models: 2 })
    expect(await testProvider(provider(url), { clock: systemClock, model: 'z' })).toEqual({
      ok: true,
      model: 'z',
      models: 2,
    })
  })

  it('hangs up after the first word', async () => {
    const scripted = await start({ answers: [[{ say: 'OK' }, { stall: true }]] })
    expect(await testProvider(provider(scripted.url), { clock: systemClock })).toMatchObject({ ok: true })
    const exchange = await scripted.exchange(1)
    await exchange.closed
    expect(exchange.closedEarly).toBe(true)
  })

  it.each<[string, ScriptedModelServerOptions, string]>([
    ['a wrong key', { key: 'sk-1' }, 'signed_out'],
    ['no model', { models: [] }, 'model_missing'],
    ['a model that fails', { answers: [[{ fail: { status: 400 } }]] }, 'failed'],
  ])('says what does not: %s', async (_name, options, code) => {
    const { url } = await start(options)
    expect(await testProvider(provider(url), { clock: systemClock })).toMatchObject({ ok: false, code })
  })

  it('says that nothing is there', async () => {
    const result = await testProvider(provider(await nowhere()), { clock: systemClock })
    expect(result).toEqual({
      ok: false,
      code: 'unavailable',
      message: "Scripted isn't running, or doesn't listen at its address.",
    })
  })
})

describe('the service', () => {
  it('knows its models from memory, opens any of them and never embeds', async () => {
    const { url } = await start({ models: ['a'] })
    const service = createOpenAiService({ provider: provider(url), clock: systemClock })
    expect(service.models()).toEqual({ state: 'unknown', models: [] })
    expect(await service.refresh()).toMatchObject({ state: 'running', models: [{ id: 'a' }] })
    expect(service.models().models).toHaveLength(1)
    expect(service.openAgent('a').id).toBe('llm:scripted/a')
    expect(service.openAgent().id).toBe('llm:scripted')
    expect(service.embeddings).toBeUndefined()
    service.close()
  })

  it('says why it cannot be used', async () => {
    const service = createOpenAiService({ provider: provider(await nowhere()), clock: systemClock })
    expect(await service.refresh()).toEqual({
      state: 'unavailable',
      models: [],
      problem: "Scripted isn't running, or doesn't listen at its address.",
    })
    service.close()
  })
})
