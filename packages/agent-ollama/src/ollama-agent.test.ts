import type { AgentError } from '@leuria/agent'
import { askOnce, fakeClock, fakePageTools, sceneOptions, statusOf, textOf } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from './stage.fixture.js'

const stage = openStage()
afterEach(() => stage.close())

const LOADING = 'Ollama is loading llama3.2. This can take a while.'

describe('which model answers', () => {
  const models = [
    { name: 'big:cloud', remoteHost: 'https://ollama.com:443' },
    { name: 'nomic-embed-text:latest', capabilities: ['embedding'], loaded: true },
    { name: 'phi4:latest' },
    { name: 'llama3.2:latest', loaded: true },
  ]
  it.each([
    { what: 'the one in the id', model: 'phi4', chosen: 'llama3.2', answers: 'phi4:latest' },
    { what: 'the one chosen for the session', model: undefined, chosen: 'PHI4:latest', answers: 'phi4:latest' },
    { what: 'the loaded one', model: undefined, chosen: undefined, answers: 'llama3.2:latest' },
  ])('$what', async ({ model, chosen, answers }) => {
    const server = await stage.server({ models })
    await askOnce(await stage.open(server, { model, open: { model: chosen } }))
    expect(server.exchanges[0]?.body.model).toBe(answers)
  })

  it('is one on this computer before one in the cloud', async () => {
    const server = await stage.server({ models: models.filter(({ loaded }) => loaded !== true) })
    await askOnce(await stage.open(server))
    expect(server.exchanges[0]?.body.model).toBe('phi4:latest')
  })

  it.each([
    { what: 'is not there', model: 'gone', words: "Ollama doesn't have the model gone. Get it with: ollama pull gone" },
    {
      what: 'only embeds',
      model: 'nomic-embed-text',
      words: "nomic-embed-text only turns texts into numbers; it can't talk. Choose another model.",
    },
  ])('is refused in words when it $what', async ({ model, words }) => {
    const server = await stage.server({ models })
    await expect(stage.open(server, { model })).rejects.toMatchObject({ code: 'model_missing', message: words })
  })

  it('is said to be missing when there is none', async () => {
    const server = await stage.server({ models: [] })
    await expect(stage.open(server)).rejects.toMatchObject({
      code: 'model_missing',
      message: 'Ollama has no model to talk to. Get one with: ollama pull llama3.2',
    })
  })

  it('is not waited for when the session ends meanwhile', async () => {
    const server = await stage.server({ ollama: { list_stalls: true } })
    const end = new AbortController()
    const opening = stage.open(server, { open: { signal: end.signal } })
    end.abort()
    await expect(opening).rejects.toMatchObject({ code: 'failed' })
  })
})

describe('loading', () => {
  it('begins when the session opens, and is shown to whoever asks before it ended', async () => {
    const server = await stage.server({ ollama: { load_stalls: true } })
    const session = await stage.open(server)
    const load = await server.load(1)
    const turn = session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))[Symbol.asyncIterator]()
    expect((await turn.next()).value).toEqual({ type: 'status', text: LOADING })
    expect(server.exchanges).toHaveLength(0)
    load.finish()
    const rest = await askOnce({ ...session, prompt: () => ({ [Symbol.asyncIterator]: () => turn }) })
    expect(textOf(rest)).toBe('OK')
    expect(server.loads).toHaveLength(1)
  })

  it('says nothing of a model that is in memory', async () => {
    const server = await stage.server({ models: [{ name: 'llama3.2:latest', loaded: true }] })
    expect(statusOf(await askOnce(await stage.open(server)))).toEqual([])
  })

  it('is done once for sessions that start together', async () => {
    const server = await stage.server({ ollama: { load_stalls: true } })
    const service = stage.service(server)
    const adapter = service.openAgent()
    const sessions = await Promise.all([adapter.open(sceneOptions()), adapter.open(sceneOptions())])
    const turns = sessions.map((session) => askOnce(session))
    const load = await server.load(1)
    load.finish()
    expect((await Promise.all(turns)).map(textOf)).toEqual(['OK', 'OK'])
    expect(server.loads).toHaveLength(1)
    for (const session of sessions) await session.close()
  })

  it('is not asked for again within a minute, and is shown again when the model was taken out of memory', async () => {
    const server = await stage.server()
    const clock = fakeClock()
    const session = await stage.open(server, { service: { clock } })
    await askOnce(session)
    expect(server.loads).toHaveLength(1)
    server.evict('llama3.2:latest')
    clock.advance(59_999)
    expect(statusOf(await askOnce(session))).toEqual([])
    server.evict('llama3.2:latest')
    clock.advance(1)
    expect(statusOf(await askOnce(session))).toEqual([LOADING])
    expect(server.loads).toHaveLength(2)
  })

  it('stops when the turn is cancelled and nobody else waits', async () => {
    const server = await stage.server({ ollama: { load_stalls: true } })
    const session = await stage.open(server)
    const load = await server.load(1)
    const cancel = new AbortController()
    const turn = session.prompt({ text: 'hi' }, cancel.signal)[Symbol.asyncIterator]()
    await turn.next()
    cancel.abort()
    expect((await turn.next()).value).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
    await session.close()
    while (!load.hungUp) await new Promise((resolve) => setImmediate(resolve))
  })

  it('ends the turn with the reason when the model does not fit, and the next turn tries again', async () => {
    const server = await stage.server({ ollama: { load_fails: true } })
    const session = await stage.open(server)
    const failure = await askOnce(session).catch((error: unknown) => error as AgentError)
    expect(failure).toMatchObject({ code: 'failed' })
    expect((failure as AgentError).message).toContain('more system memory (9.1 GiB)')
    server.ollama = {}
    expect(textOf(await askOnce(session))).toBe('OK')
  })

  it('leaves cloud models alone', async () => {
    const server = await stage.server({ models: [{ name: 'big:cloud', remoteHost: 'https://ollama.com:443' }] })
    expect(statusOf(await askOnce(await stage.open(server)))).toEqual([])
    expect(server.loads).toEqual([])
  })

  it('is no hindrance where a server only speaks OpenAI', async () => {
    const server = await stage.server({ ollama: { no_native: true } })
    expect(textOf(await askOnce(await stage.open(server)))).toBe('OK')
  })

  it.each([
    { what: 'half an hour', service: {}, keepAlive: '30m' },
    { what: 'as long as it is told', service: { keepAlive: '-1' }, keepAlive: '-1' },
    { what: "Ollama's own setting", service: { env: { OLLAMA_KEEP_ALIVE: '2h' } }, keepAlive: undefined },
  ])('keeps the model for $what', async ({ service, keepAlive }) => {
    const server = await stage.server()
    await stage.open(server, { service })
    expect((await server.load(1)).keepAlive).toBe(keepAlive)
  })
})

describe('what a model can do', () => {
  it('says plainly that it cannot use tools, answers without them, and says so once', async () => {
    const server = await stage.server({
      models: [{ name: 'llama2:latest', capabilities: ['completion'], loaded: true }],
    })
    const session = await stage.open(server)
    const events = await askOnce(session)
    expect(statusOf(events)).toEqual(["llama2 can't use this page's tools: it answers without them."])
    expect(textOf(events)).toBe('OK')
    expect(statusOf(await askOnce(session))).toEqual([])
    const bodies = server.exchanges.map(({ body }) => JSON.stringify(body))
    expect(bodies.every((body) => !body.includes('find_items'))).toBe(true)
    expect(server.exchanges[0]?.body.messages).toMatchObject([
      { role: 'system', content: expect.stringContaining("can't use") as string },
      { role: 'user', content: 'hi' },
    ])
    expect(server.faults).toEqual([])
  })

  it('keeps the system prompt of the site in front of that', async () => {
    const server = await stage.server({ models: [{ name: 'llama2:latest', capabilities: ['completion'] }] })
    await askOnce(await stage.open(server, { open: { systemPrompt: 'Be brief.' } }))
    expect(server.exchanges[0]?.body.messages).toMatchObject([
      { role: 'system', content: expect.stringMatching(/^Be brief\.\n\n/) as string },
      { role: 'user' },
    ])
  })

  it('says nothing of tools where the page has none', async () => {
    const server = await stage.server({
      models: [{ name: 'llama2:latest', capabilities: ['completion'], loaded: true }],
    })
    const events = await askOnce(await stage.open(server, { open: { tools: fakePageTools() } }))
    expect(statusOf(events)).toEqual([])
    expect(server.exchanges[0]?.body.messages).toEqual([{ role: 'user', content: 'hi' }])
  })

  it('finds out by asking where the version does not say', async () => {
    const server = await stage.server({
      ollama: { no_capabilities: true },
      models: [{ name: 'llama2:latest', capabilities: ['completion'], loaded: true }],
    })
    const events = await askOnce(await stage.open(server))
    expect(statusOf(events)).toEqual(["This model can't use the page's tools."])
    expect(textOf(events)).toBe('OK')
  })

  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
  it.each([
    { capabilities: ['completion', 'vision'], sent: 'data:image/png;base64,AAAA' },
    { capabilities: ['completion'], sent: "left out: this AI can't see images" },
  ])('sends images only to models that see ($capabilities)', async ({ capabilities, sent }) => {
    const server = await stage.server({ models: [{ name: 'm:latest', capabilities }] })
    const session = await stage.open(server)
    for await (const event of session.prompt({ text: 'look', attachments: [image] }, AbortSignal.timeout(20_000)))
      void event
    expect(JSON.stringify(server.exchanges[0]?.body)).toContain(sent)
  })

  it('fits the conversation to the context the model was loaded with, not to the most it could take', async () => {
    const server = await stage.server({ models: [{ name: 'm:latest', contextLength: 131_072, loadedContext: 2_048 }] })
    const session = await stage.open(server)
    for (let turn = 0; turn < 6; turn += 1) await askOnce(session, `question ${turn}: ${'words '.repeat(400)}`)
    const last = JSON.stringify(server.exchanges.at(-1)?.body)
    expect(last).not.toContain('question 0')
    expect(last).toContain('question 5')
  })
})

describe('trouble', () => {
  it('ends the turn at once when Ollama is stopped in the middle, and works when it is back', async () => {
    const server = await stage.server({ answers: [[{ say: 'I was' }, { stall: true }]] })
    const session = await stage.open(server)
    const turn = session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))
    const failure = (async () => {
      for await (const event of turn) if (event.type === 'text') await server.close()
    })()
    await expect(failure).rejects.toMatchObject({
      code: 'crashed',
      message: expect.stringContaining('Ollama') as string,
    })
    const again = await stage.server({ port: server.port })
    expect(textOf(await askOnce(await stage.open(again)))).toBe('OK')
  })

  it('says that it is not running', async () => {
    const server = await stage.server()
    await server.close()
    await expect(stage.open(server)).rejects.toMatchObject({
      code: 'unavailable',
      message: "Ollama isn't running, or doesn't listen at its address.",
    })
  })
})
