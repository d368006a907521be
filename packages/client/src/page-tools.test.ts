import { pageScene, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { BridgeClient, type BridgeEvent, type PageTool, type ToolCallContext } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

const scene = (options: Parameters<typeof pageScene>[1] = {}) => pageScene((parts) => new BridgeClient(parts), options)

type Scene = Awaited<ReturnType<typeof scene>>

async function start(page: Scene, tools: PageTool[], prompt?: string) {
  const events: BridgeEvent[] = []
  const session = await page.client.startSession({ tools, prompt, onEvent: (event) => events.push(event) })
  const dropped = () => events.filter(({ event }) => event === 'reconnecting')
  const reopened = () => events.filter(({ event }) => event === 'reconnected')
  return { session, events, dropped, reopened, channel: page.engine.session.channel }
}

/** A tool whose calls end when the test says so. */
function slowTool(name = 'slow') {
  const calls: { args: unknown; context: ToolCallContext; finish: (result: unknown) => void }[] = []
  const execute: PageTool['execute'] = (args, context) => new Promise((finish) => calls.push({ args, context, finish }))
  return { tool: { name, execute }, calls }
}

const partsOf = ({ engine, tab, network, clock }: Scene) => ({
  url: engine.url,
  page: tab,
  fetch: network.fetch,
  clock,
})

const greet: PageTool = { name: 'greet', execute: () => 'hello' }

describe('declaring tools', () => {
  it('sends the registration token as it came, once, and the channel token on every opening', async () => {
    await using page = await scene()
    const { channel, dropped, reopened } = await start(page, [greet])
    channel.drop()
    await page.until(() => expect(dropped()).toHaveLength(1))
    page.clock.advance(500)
    await page.until(() => expect(reopened()).toHaveLength(1))
    const { registrationToken } = page.engine.session.tokens
    expect(page.engine.log.messages('register').map(({ message }) => message.token)).toEqual([registrationToken])
    expect(page.engine.log.sockets(/register/)).toHaveLength(1)
    const channels = page.network.uses.filter(({ url }) => url.includes('/webmcp/channel/'))
    expect(channels.map(({ url }) => new URL(url).searchParams.get('token'))).toEqual([channel.token, channel.token])
  })

  it('describes a tool as the page does', async () => {
    await using page = await scene()
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } } }
    const { channel } = await start(page, [
      { ...greet, description: 'Greets.', inputSchema, annotations: { readOnlyHint: true } },
    ])
    expect(channel.tools.get('greet')).toEqual({
      type: 'registerTool',
      name: 'greet',
      description: 'Greets.',
      inputSchema,
      annotations: { readOnlyHint: true },
    })
  })

  it('waits for the acknowledgements before the AI starts, but not for ever', async () => {
    await using page = await scene({ acks: false })
    const starting = page.client.startSession({ tools: [greet] })
    await page.until(() => expect(page.engine.session.channel.tools.size).toBe(1))
    await settle()
    expect(page.engine.log.requests(/approve$/)).toEqual([])
    page.clock.advance(1_000)
    await starting
    expect(page.engine.log.requests(/approve$/)).toHaveLength(1)
  })

  it.each([
    ['does not take the token', { type: 'error', message: 'used' }, { code: 'not_registered', detail: 'used' }],
    ['names a path of something else', { type: 'registerSuccess', channel: '//evil.example', token: 't' }, {}],
    ['says nothing readable', { type: 'registerSuccess' }, { code: 'not_registered' }],
  ])('fails the start when the engine %s', async (_, reply, error) => {
    await using page = await scene()
    const { WebSocket } = page.network
    class Answering extends WebSocket {
      override send() {
        queueMicrotask(() => this.emit('message', Buffer.from(JSON.stringify(reply)), false))
      }
    }
    const client = new BridgeClient({ ...partsOf(page), WebSocket: Answering })
    await expect(client.startSession({ tools: [greet] })).rejects.toMatchObject({ name: 'LeuriaError', ...error })
    await page.until(() => expect(page.engine.live).toEqual([]))
    client.destroy()
  })

  it.each([
    ['opens', 'connecting'],
    ['answers', 'silent'],
  ])('does not wait for ever for a socket that never %s', async (_, how) => {
    await using page = await scene()
    class Dead {
      readonly readyState = how === 'silent' ? 1 : 0
      addEventListener(type: string, listener: (event: { data: unknown }) => void) {
        if (type === 'open' && how === 'silent') queueMicrotask(() => listener({ data: null }))
      }
      send() {}
      close() {}
    }
    const client = new BridgeClient({ ...partsOf(page), WebSocket: Dead })
    const failed = expect(client.startSession({ tools: [greet] })).rejects.toMatchObject({
      name: how === 'silent' ? 'LeuriaError' : 'TimeoutError',
    })
    await page.until(() => expect(page.engine.log.requests(/stream$/)).toHaveLength(1))
    await settle()
    page.clock.advance(10_000)
    await failed
    client.destroy()
  })

  it('fails the start when the page may open no socket', async () => {
    await using page = await scene()
    class Forbidden {
      readonly readyState = 0
      constructor() {
        throw new Error('SecurityError')
      }
      addEventListener() {}
      send() {}
      close() {}
    }
    const client = new BridgeClient({ ...partsOf(page), WebSocket: Forbidden })
    await expect(client.startSession({ tools: [greet] })).rejects.toMatchObject({ name: 'LeuriaNotRunningError' })
    client.destroy()
  })

  it('needs no channel without tools', async () => {
    await using page = await scene()
    await page.client.startSession()
    expect(page.engine.log.sockets()).toEqual([])
  })
})

describe('a call', () => {
  it.each([
    ['nothing', undefined, null],
    ['a text', 'hi', 'hi'],
    ['an object', { price: 24 }, { price: 24 }],
    ['false', false, false],
  ])('that returns %s is answered with it', async (_, returned, result) => {
    await using page = await scene()
    const { channel } = await start(page, [{ name: 'give', execute: () => returned }])
    channel.send({ type: 'callTool', id: 'c1', tool: 'give', arguments: {} })
    await page.until(() => expect(channel.answers.get('c1')).toEqual([{ type: 'toolResponse', id: 'c1', result }]))
  })

  it.each([
    ['throws', () => Promise.reject(new Error('The catalog is offline.')), 'The catalog is offline.'],
    ['throws a text', () => Promise.reject('no'), 'no'], // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- pages do
    ['throws nothing', () => Promise.reject(new Error('')), 'The tool failed.'],
    ['returns what JSON cannot say', () => 1n, expect.stringMatching(/BigInt/) as string],
  ])('that %s is answered with an error', async (_, execute, error) => {
    await using page = await scene()
    const { channel } = await start(page, [{ name: 'give', execute }])
    channel.send({ type: 'callTool', id: 'c1', tool: 'give', arguments: {} })
    await page.until(() => expect(channel.answers.get('c1')).toEqual([{ type: 'toolResponse', id: 'c1', error }]))
  })

  it('of an unknown tool is answered with an error that names it', async () => {
    await using page = await scene()
    const { channel } = await start(page, [greet])
    channel.send({ type: 'callTool', id: 'c1', tool: 'toString', arguments: {} })
    await page.until(() =>
      expect(channel.answers.get('c1')).toEqual([
        { type: 'toolResponse', id: 'c1', error: 'This page has no tool named "toString".' },
      ]),
    )
  })

  it('for a resource or a prompt is answered too', async () => {
    await using page = await scene()
    const { channel } = await start(page, [greet])
    channel.send({ type: 'readResource', id: 'r1', uri: 'a:b' })
    channel.send({ type: 'getPrompt', id: 'p1', name: 'x' })
    await page.until(() => expect(page.engine.log.messages('promptResponse')).toHaveLength(1))
    expect(page.engine.log.messages('resourceResponse').map(({ message }) => message.id)).toEqual(['r1'])
  })

  it('is not disturbed by frames that are odd, and pings are answered', async () => {
    await using page = await scene({ extras: true })
    const { channel } = await start(page, [greet])
    for (const frame of ['{', '[]', 'null', '7', '{"type":"callTool"}', '{"type":"later"}']) channel.send(frame)
    channel.send({ type: 'ping' })
    await page.until(() => expect(page.engine.log.messages('pong')).toHaveLength(1))
    channel.send({ type: 'callTool', id: 'c1', tool: 'greet' })
    await page.until(() => expect(channel.answers.get('c1')).toHaveLength(1))
  })

  it('is aborted, and still answered, when the engine cancels it', async () => {
    await using page = await scene()
    const { tool, calls } = slowTool()
    const { session, channel } = await start(page, [tool], 'call slow')
    await page.until(() => expect(calls).toHaveLength(1))
    await session.cancelTurn()
    await page.until(() => expect(calls[0]?.context.signal.aborted).toBe(true))
    const { callId } = calls[0]!.context
    await page.until(() =>
      expect(channel.answers.get(callId)).toEqual([expect.objectContaining({ error: 'The call was cancelled.' })]),
    )
    channel.send({ type: 'cancelCall', id: 'never heard of' })
  })

  it('is aborted when the session ends', async () => {
    await using page = await scene()
    const { tool, calls } = slowTool()
    const { session } = await start(page, [tool], 'call slow')
    await page.until(() => expect(calls).toHaveLength(1))
    await session.close()
    expect(calls[0]?.context.signal.aborted).toBe(true)
  })

  it('may stay open for 10 minutes and no longer', async () => {
    await using page = await scene()
    const { tool, calls } = slowTool()
    const { channel } = await start(page, [tool])
    channel.send({ type: 'callTool', id: 'c1', tool: 'slow', arguments: {} })
    await page.until(() => expect(calls).toHaveLength(1))
    // No pings in this scene: each look at the silent channel is answered.
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 5_000) {
        page.clock.advance(Math.min(5_000, left))
        await settle()
      }
    }
    await pass(599_000)
    expect([calls[0]?.context.signal.aborted, channel.answers.size]).toEqual([false, 0])
    await pass(1_000)
    await page.until(() => expect(channel.answers.get('c1')).toHaveLength(1))
    expect(calls[0]?.context.signal.aborted).toBe(true)
  })
})

describe('a dropped channel', () => {
  it('is opened again with backoff and its tools are declared again, after failed openings too', async () => {
    await using page = await scene()
    const { channel, dropped, reopened } = await start(page, [greet])
    channel.tools.clear()
    page.engine.faults.refuseChannels = 3
    channel.drop()
    for (const [index, delayMs] of [500, 1_000, 2_000, 4_000].entries()) {
      await page.until(() => expect(dropped()).toHaveLength(index + 1))
      await page.clock.advanceAsync(delayMs - 1)
      expect(page.engine.log.sockets(/channel/)).toHaveLength(index + 1)
      page.clock.advance(1)
      await page.until(() => expect(page.engine.log.sockets(/channel/)).toHaveLength(index + 2))
    }
    await page.until(() => expect(reopened()).toEqual([{ event: 'reconnected', data: { link: 'channel' } }]))
    await page.until(() => expect([...channel.tools.keys()]).toEqual(['greet']))
  })

  it('ends the session after five failed openings', async () => {
    await using page = await scene()
    const { session, channel, dropped } = await start(page, [greet])
    page.engine.faults.refuseChannels = 9
    channel.drop()
    for (let count = 1; count <= 5; count += 1) {
      await page.until(() => expect(dropped()).toHaveLength(count))
      page.clock.advance(8_000)
    }
    await page.until(() => expect(session.status).toBe('ended'))
    expect(session.error).toMatchObject({ code: 'lost_connection' })
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it('ends the session at once when the engine no longer knows it', async () => {
    await using page = await scene()
    const { session, channel, dropped } = await start(page, [greet])
    page.engine.faults.refuseChannels = 1
    page.engine.faults.answers.push({
      request: /^GET \/session\/[^/]+$/,
      status: 404,
      body: { error: 'Session not found' },
    })
    channel.drop()
    await page.until(() => expect(dropped()).toHaveLength(1))
    page.clock.advance(500)
    await page.until(() => expect(session.status).toBe('ended'))
    expect(session.error).toMatchObject({ status: 404 })
  })

  it('takes the answer of a call that was made before it dropped', async () => {
    await using page = await scene({ resendCalls: false })
    const { tool, calls } = slowTool()
    const { session, channel, dropped, reopened } = await start(page, [tool], 'call slow {"a":1}')
    await page.until(() => expect(calls).toHaveLength(1))
    channel.drop()
    await page.until(() => expect(dropped()).toHaveLength(1))
    calls[0]!.finish('late but here')
    await settle()
    page.clock.advance(500)
    await page.until(() => expect(reopened()).toHaveLength(1))
    await page.until(() => expect(session.text).toBe('late but here'))
    expect(calls).toHaveLength(1)
  })

  it('runs a call once that the engine sends again, and answers it each time', async () => {
    await using page = await scene()
    const { tool, calls } = slowTool()
    const { channel } = await start(page, [tool])
    const call = { type: 'callTool', id: 'c1', tool: 'slow', arguments: {} }
    channel.send(call)
    await page.until(() => expect(calls).toHaveLength(1))
    channel.send(call)
    channel.send({ type: 'ping' })
    await page.until(() => expect(page.engine.log.messages('pong')).toHaveLength(1))
    calls[0]!.finish('once')
    await page.until(() => expect(channel.answers.get('c1')).toHaveLength(1))
    channel.send(call)
    await page.until(() => expect(channel.answers.get('c1')).toHaveLength(2))
    expect([calls.length, new Set(channel.answers.get('c1')?.map(({ result }) => result))]).toEqual([
      1,
      new Set(['once']),
    ])
  })

  it.each([
    [15, 16],
    [16, 18],
  ])('remembers the last 16 answers: after %i more, %i calls have run', async (others, runs) => {
    await using page = await scene()
    let count = 0
    const { channel } = await start(page, [{ name: 'count', execute: () => (count += 1) }])
    const call = async (id: string) => {
      const answered = channel.answers.get(id)?.length ?? 0
      channel.send({ type: 'callTool', id, tool: 'count', arguments: {} })
      await page.until(() => expect(channel.answers.get(id)).toHaveLength(answered + 1))
    }
    await call('first')
    for (let each = 0; each < others; each += 1) await call(`call ${each}`)
    await call('first')
    expect(count).toBe(runs)
  })

  it('is looked into when nothing came for a while, and opened again when nobody answers', async () => {
    await using page = await scene()
    const { session, channel, reopened } = await start(page, [greet])
    await page.until(() => expect(session.status).toBe('idle'))
    page.clock.advance(45_000)
    await page.until(() => expect(page.engine.log.messages('ping')).toHaveLength(1))
    await settle()
    page.clock.advance(5_000)
    await settle()
    expect(reopened()).toEqual([]) // It answered.
    channel.take = () => undefined // From here on it hears nothing, as a connection that is dead without having said so.
    page.tab.signal('show')
    await page.until(() => expect(page.engine.log.messages('ping')).toHaveLength(2))
    await settle()
    page.clock.advance(5_000)
    await page.until(() => expect(page.engine.log.sockets(/channel/)).toHaveLength(2))
  })
})
