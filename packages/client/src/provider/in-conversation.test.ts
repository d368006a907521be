import { scriptedModelServer, type ScriptedModelServer } from '@leuria/testing'
import { type FakeLanguageModel, fakeLanguageModel } from '@leuria/testing/browser-fakes'
import { afterEach, describe, expect, it } from 'vitest'
import {
  browserAI,
  createLeuria,
  defineTool,
  type Leuria,
  type Provider,
  server,
  type ServerOptions,
} from '../index.js'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

/** A page's client with these providers. */
async function client(...providers: Provider[]): Promise<Leuria> {
  const leuria = createLeuria({ providers, autoDetect: false })
  undo.push(() => {
    leuria.destroy()
  })
  await leuria.detect()
  return leuria
}

async function withServer(
  options: Partial<ServerOptions> = {},
): Promise<{ leuria: Leuria; models: ScriptedModelServer }> {
  const models = await scriptedModelServer()
  undo.push(() => models.close())
  return { models, leuria: await client(server({ url: `${models.url}/chat/completions`, model: 'm', ...options })) }
}

async function withBrowser(fake: FakeLanguageModel): Promise<Leuria> {
  undo.push(fake.install())
  return client(browserAI())
}

const SCHEMA = { type: 'object', properties: { stars: { type: 'number' } }, required: ['stars'] }

describe("a conversation with the site's own server", () => {
  it('calls tools, keeps the history, and tells everything in order', async () => {
    const { leuria, models } = await withServer()
    const add = defineTool<{ n: number }>({
      name: 'add',
      description: 'Adds.',
      inputSchema: { type: 'object' },
      execute: ({ n }, { callCount, context }) => ({ n: n + callCount, context }),
    })
    const conversation = leuria.conversation({ system: 'Be kind.', tools: [add] })
    models.answer([{ say: 'I add.' }, { call: { name: 'add', arguments: { n: 1 }, id: 'c1' } }], [{ say: 'Two.' }])
    const run = conversation.send('1 + 1?', { context: { page: 'maths' } })
    const types: string[] = []
    for await (const { type } of run) types.push(type)
    expect(types).toEqual(['start', 'text-delta', 'tool-call', 'tool-result', 'text-delta', 'finish'])
    expect(await run.text()).toBe('I add.Two.')
    models.answer([{ say: 'Yes.' }])
    await conversation.send('Sure?').text()
    expect(models.exchanges[2]?.body.messages).toMatchObject([
      { role: 'system', content: 'Be kind.' },
      { role: 'user' },
      { role: 'assistant', content: 'I add.', tool_calls: [{ id: 'c1' }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"n":2,"context":{"page":"maths"}}' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Sure?' },
    ])
    expect(models.faults).toEqual([])
  })

  it.each([true, false])('gives an answer of a shape (natively: %s)', async (jsonSchema) => {
    const { leuria, models } = await withServer({ jsonSchema })
    const native = [{ say: ['{"stars"', ': 4}'] }]
    const submitted = [{ call: { name: 'submit_result', arguments: { stars: 4 } } }]
    models.answer(jsonSchema ? native : submitted)
    expect(await leuria.chat({ prompt: 'Rate it.', schema: SCHEMA }).object()).toEqual({ stars: 4 })
    expect(models.exchanges[0]?.body).toMatchObject(
      jsonSchema
        ? { response_format: { json_schema: { schema: SCHEMA } } }
        : { tools: [{ function: { name: 'submit_result' } }] },
    )
  })

  it('stops, and goes on in the same session', async () => {
    const { leuria, models } = await withServer()
    models.answer([{ say: 'Once' }, { stall: true }], [{ say: 'OK' }])
    const conversation = leuria.conversation()
    const run = conversation.send('A story')
    for await (const { type } of run) {
      if (type === 'text-delta') break
    }
    conversation.stop()
    await expect(run.text()).rejects.toMatchObject({ code: 'aborted' })
    expect(await conversation.send('Go on').text()).toBe('OK')
    expect(models.exchanges[1]?.body.messages).toMatchObject([{}, { role: 'assistant', content: 'Once' }, {}])
    expect(models.faults).toEqual([])
  })

  it("tells what the server says, in words for visitors and in the page's log", async () => {
    const { leuria, models } = await withServer()
    models.answer([
      { fail: { status: 429, body: { error: { message: 'Slow down' } }, headers: { 'Retry-After': '3' } } },
    ])
    const conversation = leuria.conversation()
    await expect(conversation.send('hi').text()).rejects.toMatchObject({
      code: 'too_many',
      status: 429,
      retryAfterS: 3,
    })
    expect(conversation.getState()).toMatchObject({ status: 'error', error: { code: 'too_many' } })
    expect(await conversation.send('hi').text()).toBe('OK')
    expect(models.faults).toEqual([])
  })

  it('ends when a tool ends the turn', async () => {
    const { leuria, models } = await withServer()
    models.answer([{ call: { name: 'buy' } }], [{ say: 'Too much said.' }])
    const buy = defineTool({
      name: 'buy',
      description: 'Buys.',
      execute: (_args, { endTurn }) => {
        endTurn({ order: 7 })
      },
    })
    expect(await leuria.chat({ prompt: 'Buy it.', tools: [buy] }).result()).toMatchObject({ outcome: { order: 7 } })
  })
})

describe("a conversation with the browser's own AI", () => {
  it('begins after the download that a click starts', async () => {
    const fake = fakeLanguageModel({ availability: 'downloadable', answers: [['Hel', 'lo']] })
    const leuria = await withBrowser(fake)
    expect(leuria.getState()).toMatchObject({ active: null, pending: { id: 'browser', action: 'download' } })
    await expect(leuria.chat({ prompt: 'hi' }).text()).rejects.toMatchObject({ name: 'NoProviderError' })
    fake.userActivation = true
    const connected = leuria.connect('browser')
    fake.userActivation = false
    fake.progress(0.5)
    expect(leuria.getState().providers[0]).toMatchObject({ status: 'downloading', progress: 0.5 })
    fake.finishDownload()
    await connected
    expect(await leuria.chat({ prompt: 'hi' }).text()).toBe('Hello')
    expect(fake.sessions.every(({ isDestroyed }) => isDestroyed)).toBe(true)
  })

  it('gives an answer of a shape, and checks it', async () => {
    const fake = fakeLanguageModel({ answers: ['{"stars": 4}'] })
    const leuria = await withBrowser(fake)
    expect(await leuria.chat({ prompt: 'Rate it.', schema: SCHEMA }).object()).toEqual({ stars: 4 })
    expect(fake.sessions[0]?.prompts[0]?.responseConstraint).toEqual(SCHEMA)
  })

  it('is given the history when a better AI went away', async () => {
    const fake = fakeLanguageModel()
    const models = await scriptedModelServer({ otherwise: [{ say: 'From the server.' }] })
    undo.push(fake.install(), () => models.close())
    const leuria = await client(browserAI(), server({ url: `${models.url}/chat/completions`, model: 'm' }))
    const first = leuria.conversation({ provider: 'server' })
    await first.send('one').text()
    const next = leuria.conversation({ messages: [...first.getState().messages] })
    expect(await next.send('two').text()).toBe('OK')
    expect(fake.sessions[0]?.history.map(({ content }) => content)).toEqual(['one', 'From the server.', 'two', 'OK'])
    await next.close()
    expect(fake.sessions[0]?.isDestroyed).toBe(true)
  })
})
