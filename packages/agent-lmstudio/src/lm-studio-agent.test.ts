import type { AgentError } from '@leuria/agent'
import { askOnce, fakeClock, sceneOptions, settle, statusOf, textOf } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from './stage.fixture.js'

const stage = openStage()
afterEach(() => stage.close())

const LOADING = 'LM Studio is loading qwen/qwen3-4b. This can take a while.'
const KEY = 'qwen/qwen3-4b'

describe('which model answers', () => {
  const models = [
    { key: 'a/cold' },
    { key: 'b/warm', instances: ['b/warm'] },
    { key: 'text-embedding-x', type: 'embedding' },
  ] as const
  it.each([
    { what: 'the one in the id', model: 'a/cold', chosen: 'b/warm', answers: 'a/cold' },
    { what: 'the one chosen for the session', model: undefined, chosen: 'a/cold', answers: 'a/cold' },
    { what: 'the loaded one', model: undefined, chosen: undefined, answers: 'b/warm' },
  ])('$what', async ({ model, chosen, answers }) => {
    const server = await stage.server({ models })
    await askOnce(await stage.open(server, { model, open: { model: chosen } }))
    expect(server.exchanges[0]?.body.model).toBe(answers)
  })

  it.each([
    { what: 'is not there', model: 'gone', words: "LM Studio doesn't have the model gone. Download it in LM Studio." },
    {
      what: 'only embeds',
      model: 'text-embedding-x',
      words: "text-embedding-x only turns texts into numbers; it can't talk. Choose another model.",
    },
  ])('is refused in words when it $what', async ({ model, words }) => {
    const server = await stage.server({ models })
    await expect(stage.open(server, { model })).rejects.toMatchObject({ code: 'model_missing', message: words })
  })

  it('answers by the id of its loaded instance, so that no second copy is loaded', async () => {
    const server = await stage.server({ models: [{ key: KEY, instances: ['my-name'] }] })
    const session = await stage.open(server, { model: KEY })
    expect(textOf(await askOnce(session))).toBe('OK')
    expect(server.exchanges[0]?.body.model).toBe('my-name')
    expect(server.loads).toEqual([])
  })

  it('is followed when it is loaded anew under another id', async () => {
    const server = await stage.server({ models: [{ key: KEY, instances: ['first'] }] })
    const clock = fakeClock()
    const session = await stage.open(server, { model: KEY, service: { clock } })
    await askOnce(session)
    server.inventory = [{ key: KEY, instances: ['second'] }]
    clock.advance(60_000)
    await askOnce(session)
    expect(server.exchanges.map(({ body }) => body.model)).toEqual(['first', 'second'])
  })
})

describe('loading', () => {
  it('begins when the session opens, and is shown to whoever asks before it ended', async () => {
    const server = await stage.server({ lmStudio: { load_stalls: true } })
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
    const server = await stage.server({ models: [{ key: KEY, instances: [KEY] }] })
    expect(statusOf(await askOnce(await stage.open(server)))).toEqual([])
    expect(server.loads).toEqual([])
  })

  it('is done once for sessions that start together: each load would make a copy', async () => {
    const server = await stage.server({ lmStudio: { load_stalls: true } })
    const adapter = stage.service(server).openAgent()
    const sessions = await Promise.all([adapter.open(sceneOptions()), adapter.open(sceneOptions())])
    const turns = sessions.map((session) => askOnce(session))
    const load = await server.load(1)
    load.finish()
    expect((await Promise.all(turns)).map(textOf)).toEqual(['OK', 'OK'])
    expect(server.loads).toHaveLength(1)
    for (const session of sessions) await session.close()
  })

  it('stops when the turn is cancelled and nobody else waits', async () => {
    const server = await stage.server({ lmStudio: { load_stalls: true } })
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
    const server = await stage.server({ lmStudio: { load_fails: true } })
    const session = await stage.open(server)
    const failure = await askOnce(session).catch((error: unknown) => error as AgentError)
    expect(failure).toMatchObject({ code: 'failed' })
    expect((failure as AgentError).message).toContain('insufficient memory')
    server.lmStudio = {}
    expect(textOf(await askOnce(session))).toBe('OK')
  })

  it.each([{ no_v1: true }, { no_v1: true, no_v0: true }])(
    'is left to the first question where it cannot be asked for (%j)',
    async (lmStudio) => {
      const server = await stage.server({ lmStudio })
      const events = await askOnce(await stage.open(server))
      expect(textOf(events)).toBe('OK')
      expect(statusOf(events)).toEqual('no_v0' in lmStudio ? [] : [LOADING.replace('qwen/', '')])
      expect(server.loads).toEqual([])
    },
  )

  it('works where a chat alone would load nothing', async () => {
    const server = await stage.server({ lmStudio: { no_jit: true } })
    expect(textOf(await askOnce(await stage.open(server)))).toBe('OK')
  })

  it('is seen in the list as soon as it is done', async () => {
    const server = await stage.server()
    const service = stage.service(server)
    const loaded = new Promise<void>((resolve) => {
      service.subscribe(({ models }) => {
        if (models[0]?.loaded === true) resolve()
      })
    })
    const session = await service.openAgent().open(sceneOptions())
    await loaded
    await session.close()
  })

  it('fits the conversation to the context the model was loaded with', async () => {
    const server = await stage.server({ models: [{ key: KEY, maxContext: 131_072, loadedContext: 2_048 }] })
    const session = await stage.open(server)
    for (let turn = 0; turn < 6; turn += 1) await askOnce(session, `question ${turn}: ${'words '.repeat(400)}`)
    const last = JSON.stringify(server.exchanges.at(-1)?.body)
    expect(last).not.toContain('question 0')
    expect(last).toContain('question 5')
  })
})

describe('unloading', () => {
  it('takes out what was loaded here, half an hour after its last use', async () => {
    const server = await stage.server()
    const clock = fakeClock()
    const session = await stage.open(server, { service: { clock } })
    await askOnce(session)
    clock.advance(20 * 60_000)
    await askOnce(session)
    clock.advance(30 * 60_000 - 1)
    await settle()
    expect(server.unloads).toEqual([])
    clock.advance(1)
    while (server.unloads.length === 0) await settle()
    expect(server.unloads).toEqual([KEY])
    expect(statusOf(await askOnce(session))).toEqual([LOADING])
  })

  it('leaves what the visitor loaded alone', async () => {
    const server = await stage.server({ models: [{ key: KEY, instances: [KEY] }] })
    const clock = fakeClock()
    await askOnce(await stage.open(server, { service: { clock } }))
    await clock.advanceAsync(60 * 60_000)
    expect(server.unloads).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('trouble', () => {
  it('tries tools with a model that was not trained for them: LM Studio has a way', async () => {
    const server = await stage.server({ models: [{ key: KEY, tools: false }] })
    await askOnce(await stage.open(server))
    expect(JSON.stringify(server.exchanges[0]?.body.tools)).toContain('find_items')
  })

  it('ends the turn at once when it is stopped in the middle', async () => {
    const server = await stage.server({ answers: [[{ say: 'I was' }, { stall: true }]] })
    const session = await stage.open(server)
    const failure = (async () => {
      const turn = session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))
      for await (const event of turn) if (event.type === 'text') await server.close()
    })()
    await expect(failure).rejects.toMatchObject({
      code: 'crashed',
      message: expect.stringContaining('LM Studio') as string,
    })
  })

  it('says that it is not running', async () => {
    const server = await stage.server()
    await server.close()
    await expect(stage.open(server)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
