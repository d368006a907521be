import { fakeClock, FakePage, settle } from '@leuria/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { relayServer, SHOP, shop } from './relay-server.fixture.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Lets frames that are on their way arrive: the clock is the test's, the sockets are real. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !holds(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 2))
  expect(holds()).toBe(true)
}
/** The HTTP status that refuses an upgrade, or 101. */
function upgradeStatus(url: string, origin?: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { ...(origin !== undefined && { origin }) })
    socket.on('open', () => {
      resolve(101)
      socket.terminate()
    })
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    socket.on('error', () => undefined)
  })
}

const SEARCH = {
  description: 'Search products. Returns name, price and stock.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}
const MUGS = [{ name: 'Celadon mug', price: 24, stock: 3 }]

describe('tokens (Page tools, Tokens)', () => {
  it('webmcpUrl is http://127.0.0.1:<port>', async () => {
    const { relay, url } = await relayServer()
    expect(relay.open({ sessionId: 's', origin: 'local' }).webmcpUrl).toBe(url)
  })

  it('registrationToken is base64 of { server, token }', async () => {
    const { relay, server } = await relayServer()
    const { registrationToken } = relay.open({ sessionId: 's', origin: 'local' })
    const blob: unknown = JSON.parse(Buffer.from(registrationToken, 'base64').toString())
    expect(blob).toEqual({ server, token: expect.any(String) as unknown })
  })

  it('are all different, and different from session to session', async () => {
    const { relay } = await relayServer()
    const tokens = [1, 2].flatMap(() => {
      const { registrationToken, channelToken, agentToken } = relay.open({ sessionId: 's', origin: 'local' })
      return [registrationToken, channelToken, agentToken]
    })
    expect(new Set(tokens).size).toBe(6)
  })
})

describe('registering (Page tools, Handshake 1)', () => {
  it.each(['the whole blob', 'just the inner token'])('takes %s', async (form) => {
    const { relay, server } = await relayServer()
    const channel = relay.open({ sessionId: 's', origin: shop() })
    const inner = (JSON.parse(atob(channel.registrationToken)) as { token: string }).token
    const page = new FakePage({ server, origin: SHOP, registrationToken: '' })
    expect(await page.register(form === 'the whole blob' ? channel.registrationToken : inner)).toEqual({
      type: 'registerSuccess',
      channel: `/webmcp/channel/${channel.id}`,
      token: channel.channelToken,
    })
  })

  // FC-04 c, d
  it('works once: the same token again, as blob or alone, is an error', async () => {
    const { relay, server } = await relayServer()
    const { registrationToken } = relay.open({ sessionId: 's', origin: shop() })
    const inner = (JSON.parse(atob(registrationToken)) as { token: string }).token
    const page = new FakePage({ server, origin: SHOP, registrationToken })
    expect((await page.register(registrationToken)).type).toBe('registerSuccess')
    expect((await page.register(registrationToken)).type).toBe('error')
    expect((await page.register(inner)).type).toBe('error')
  })

  // FC-04, the relay's part of a and b: the gate refuses origins without a grant, the relay other granted ones.
  it("refuses another origin's token and leaves it usable for its own", async () => {
    const { relay, server } = await relayServer()
    const { registrationToken } = relay.open({ sessionId: 's', origin: shop() })
    for (const origin of [
      'https://evil.example',
      'https://shop.example.evil.test',
      'https://myshop.example',
      'http://shop.example',
      'https://shop.example:8443',
      undefined,
    ]) {
      const page = new FakePage({ server, registrationToken, ...(origin !== undefined && { origin }) })
      expect((await page.register(registrationToken)).type).toBe('error')
    }
    expect((await new FakePage({ server, origin: SHOP, registrationToken }).register(registrationToken)).type).toBe(
      'registerSuccess',
    )
  })

  it('answers every odd message with an error, several on one socket, but not without end', async () => {
    const { relay, server } = await relayServer({ limits: { maxRegisterAttempts: 6 } })
    const { registrationToken } = relay.open({ sessionId: 's', origin: shop() })
    const socket = new WebSocket(`${server}/webmcp/register`, { origin: SHOP })
    const replies: { type: string }[] = []
    socket.on('message', (data: Buffer) => replies.push(JSON.parse(data.toString()) as { type: string }))
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    const send = [
      'not json',
      '[]',
      '{"type":"register"}',
      `{"type":"register","token":"${'x'.repeat(10_000)}"}`,
      JSON.stringify({ type: 'register', token: registrationToken }),
      Buffer.from('{}'),
      '{}',
    ]
    for (const data of send) socket.send(data)
    expect(await closed).toBe(1008)
    expect(replies.map(({ type }) => type)).toEqual(['error', 'error', 'error', 'error', 'registerSuccess', 'error'])
    await until(() => relay.counts().registerSockets === 0)
  })

  it('closes a socket that says nothing for 30 s, not before', async () => {
    const clock = fakeClock()
    const { relay, server } = await relayServer({ clock })
    const socket = new WebSocket(`${server}/webmcp/register`, { origin: SHOP })
    await new Promise((resolve) => socket.once('open', resolve))
    await until(() => relay.counts().registerSockets === 1)
    clock.advance(30 * SECOND - 1)
    expect(relay.counts().registerSockets).toBe(1)
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    clock.advance(1)
    expect(await closed).toBe(1008)
    await until(() => relay.counts().registerSockets === 0)
    expect(clock.pending).toBe(0)
  })

  it('lets an origin hold as many register sockets as the limit, and closes one more', async () => {
    const { relay, server } = await relayServer({ limits: { maxRegisterSockets: 2 } })
    const sockets = await Promise.all(
      [1, 2].map(async () => {
        const socket = new WebSocket(`${server}/webmcp/register`, { origin: SHOP })
        await new Promise((resolve) => socket.once('open', resolve))
        return socket
      }),
    )
    await until(() => relay.counts().registerSockets === 2)
    const third = new WebSocket(`${server}/webmcp/register`, { origin: SHOP })
    expect(await new Promise((resolve) => third.once('close', resolve))).toBe(1013)
    const other = new WebSocket(`${server}/webmcp/register`, { origin: 'https://other.example' })
    await new Promise((resolve) => other.once('open', resolve))
    for (const socket of [...sockets, other]) socket.terminate()
  })
})

describe('opening the channel (Page tools, Handshake 2)', () => {
  // FC-04 e
  it('is refused with 401 for a wrong token, the registration token, the agent token, or an unknown channel', async () => {
    const { relay, server } = await relayServer()
    const channel = relay.open({ sessionId: 's', origin: shop() })
    const path = `${server}/webmcp/channel/${channel.id}`
    for (const token of ['wrong', channel.registrationToken, channel.agentToken, '', `${channel.channelToken}x`])
      expect(await upgradeStatus(`${path}?token=${encodeURIComponent(token)}`, SHOP)).toBe(401)
    expect(await upgradeStatus(path, SHOP)).toBe(401)
    expect(await upgradeStatus(`${server}/webmcp/channel/nope?token=${channel.channelToken}`, SHOP)).toBe(401)
  })

  // FC-04 g
  it("is refused with 403 from any origin but the session's own, even with the right token", async () => {
    const { relay, server } = await relayServer()
    const channel = relay.open({ sessionId: 's', origin: shop() })
    const url = `${server}/webmcp/channel/${channel.id}?token=${channel.channelToken}`
    for (const origin of ['https://evil.example', 'https://shop.example:8443', 'http://shop.example', undefined])
      expect(await upgradeStatus(url, origin)).toBe(403)
    expect(await upgradeStatus(url, SHOP)).toBe(101)
  })

  // FC-04 f
  it('works again and again with the same token, and not after the session has ended', async () => {
    const { page: makePage, server } = await relayServer()
    const { channel, page } = await makePage()
    page.close()
    await page.openChannel()
    page.drop()
    await page.openChannel()
    const closed = page.closed()
    channel.close('done')
    expect(await closed).toEqual({ code: 1000, reason: 'The session has ended: done' })
    expect(await upgradeStatus(server + page.channel, SHOP)).toBe(401)
  })

  it('tells whether the page is connected', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage()
    const told: boolean[] = []
    channel.onConnectedChange((connected) => told.push(connected))
    expect(channel.connected()).toBe(true)
    page.drop()
    await until(() => !channel.connected())
    await page.openChannel()
    await until(() => channel.connected())
    expect(told).toEqual([false, true])
  })

  it('closes a socket that comes when the session has just ended', async () => {
    const { relay, page: makePage, server } = await relayServer()
    const { channel, page } = await makePage()
    const authorize = relay.authorizeChannel.bind(relay)
    relay.authorizeChannel = (...args) => {
      const verdict = authorize(...args)
      channel.close('just now')
      return verdict
    }
    const socket = new WebSocket(server + page.channel, { origin: SHOP })
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1000)
  })
})

describe('declarations (Page tools, Handshake 3, Page → engine)', () => {
  it('registerTool adds a tool, flat or nested, with an ack', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage()
    expect(await page.declare({ type: 'registerTool', name: 'search_products', ...SEARCH })).toEqual({
      type: 'ack',
      registration: 'registerTool',
      name: 'search_products',
    })
    expect(await page.declare({ type: 'registerTool', tool: { name: 'nested', ...SEARCH } })).toMatchObject({
      name: 'nested',
    })
    expect(channel.tools.listTools()).toEqual([
      { name: 'search_products', ...SEARCH },
      { name: 'nested', ...SEARCH },
    ])
  })

  it('a `tool` field that has no name of its own does not hide a flat declaration', async () => {
    const { page: makePage } = await relayServer()
    const { page } = await makePage()
    expect(await page.declare({ type: 'registerTool', name: 'flat', tool: { description: 'x' } })).toMatchObject({
      name: 'flat',
    })
  })

  it('warns in the ack about what is odd', async () => {
    const { page: makePage } = await relayServer()
    const { page } = await makePage()
    const ack = await page.declare({
      type: 'registerTool',
      name: 'odd',
      inputSchema: { properties: { a: { type: 'strin' } } },
    })
    expect(ack).toMatchObject({
      type: 'ack',
      name: 'odd',
      warning: expect.stringContaining('properties/a/type') as unknown,
    })
  })

  it('deregisterTool removes a tool, with an ack, and a warning when there is none', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { a: { run: () => 1 } } })
    expect(await page.declare({ type: 'deregisterTool', name: 'a' })).toEqual({
      type: 'ack',
      registration: 'deregisterTool',
      name: 'a',
    })
    expect(await page.declare({ type: 'deregisterTool', name: 'a' })).toMatchObject({
      type: 'ack',
      warning: expect.any(String) as unknown,
    })
    expect(channel.tools.listTools()).toEqual([])
  })

  it('registerResource and registerPrompt add theirs, flat or nested; the ack of a resource carries its uri', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage()
    expect(await page.declare({ type: 'registerResource', uri: 'shop://cart' })).toEqual({
      type: 'ack',
      registration: 'registerResource',
      name: 'shop://cart',
    })
    expect(
      await page.declare({ type: 'registerResource', resource: { uri: 'shop://x', name: 'X', mimeType: 'text/html' } }),
    ).toMatchObject({ name: 'shop://x' })
    expect(
      await page.declare({ type: 'registerPrompt', prompt: { name: 'greet', arguments: [{ name: 'who' }] } }),
    ).toEqual({ type: 'ack', registration: 'registerPrompt', name: 'greet' })
    expect(channel.tools.listResources()).toEqual([
      { uri: 'shop://cart', name: 'shop://cart' },
      { uri: 'shop://x', name: 'X', mimeType: 'text/html' },
    ])
    expect(channel.tools.listPrompts()).toEqual([{ name: 'greet', arguments: [{ name: 'who' }] }])
  })

  // FC-18
  it('refuses a tool without a name with words, and takes the others', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage()
    for (const message of [
      { type: 'registerTool' },
      { type: 'registerTool', name: 7 },
      { type: 'registerTool', tool: {} },
    ])
      expect(await page.declare(message)).toEqual({
        type: 'error',
        message: 'registerTool needs a name, which must be a text.',
      })
    expect(await page.declare({ type: 'registerTool', name: '' })).toEqual({
      type: 'error',
      message: 'A tool needs a name.',
    })
    expect(await page.declare({ type: 'registerResource' })).toEqual({
      type: 'error',
      message: 'registerResource needs a uri, which must be a text.',
    })
    expect(await page.declare({ type: 'registerTool', name: 'größe' })).toMatchObject({ type: 'ack', name: 'größe' })
    expect(channel.tools.listTools().map(({ name }) => name)).toEqual(['größe'])
  })

  it('tools stay for the session when the channel drops', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { a: { run: () => 1 } } })
    page.drop()
    await until(() => !channel.connected())
    expect(channel.tools.listTools().map(({ name }) => name)).toEqual(['a'])
  })

  it('may come before anything else happens, and after a call', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { a: { run: () => 'first' } } })
    expect(await channel.tools.call({ name: 'a', arguments: {} })).toEqual({ ok: true, text: 'first' })
    await page.declare({ type: 'registerTool', name: 'a', description: 'new' })
    expect(channel.tools.listTools()[0]?.description).toBe('new')
  })
})

describe('calls (Page tools, Engine → page, Handshake 4)', () => {
  it('carry id, tool and arguments, and come back as the page answers', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { search_products: { ...SEARCH, run: () => MUGS } } })
    expect(await channel.tools.call({ name: 'search_products', arguments: { query: 'blue mug' } })).toEqual({
      ok: true,
      text: JSON.stringify(MUGS),
    })
    expect(page.calls).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        tool: 'search_products',
        arguments: { query: 'blue mug' },
      },
    ])
  })

  it.each<[string, object, object]>([
    ['a string as it is', { result: 'Hello' }, { ok: true, text: 'Hello' }],
    ['anything else as JSON text', { result: { n: 1 } }, { ok: true, text: '{"n":1}' }],
    ['no result as null', {}, { ok: true, text: 'null' }],
    [
      'an error that is a text',
      { error: 'The catalog is offline.' },
      { ok: false, code: 'page_error', error: 'The catalog is offline.' },
    ],
    [
      'an error with a message',
      { error: { message: 'No stock' } },
      { ok: false, code: 'page_error', error: 'No stock' },
    ],
    [
      'an error that says nothing',
      { error: {} },
      { ok: false, code: 'page_error', error: 'The tool failed without saying why.' },
    ],
    [
      'an error of its own making',
      { error: { code: 5 } },
      { ok: false, code: 'page_error', error: 'The tool failed: {"code":5}' },
    ],
    ['an empty error beside a result as a result', { result: 1, error: '' }, { ok: true, text: '1' }],
    ['a null error as none', { result: 1, error: null }, { ok: true, text: '1' }],
    [
      'an empty error alone as an error',
      { error: '' },
      { ok: false, code: 'page_error', error: 'The tool failed without saying why.' },
    ],
    [
      'additive content',
      { content: [{ type: 'text', text: 'a' }] },
      { ok: true, text: 'a', content: [{ type: 'text', text: 'a' }] },
    ],
  ])('take %s', async (_, answer, outcome) => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage()
    await page.declare({ type: 'registerTool', name: 'byHand' })
    page.answersCalls = false
    const call = channel.tools.call({ name: 'byHand', arguments: {} })
    const [{ id } = { id: '' }] = await page.called(1)
    page.send({ type: 'toolResponse', id, ...answer })
    expect(await call).toMatchObject(outcome)
  })

  it('readResource and getPrompt expect resourceResponse and promptResponse', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({
      resources: { 'shop://cart': () => ({ items: 2 }) },
      prompts: {
        greet: (args) => ({ greeting: args }),
        bad: () => {
          throw new Error('no prompt')
        },
      },
    })
    expect(await channel.tools.readResource('shop://cart')).toEqual({ ok: true, value: { items: 2 } })
    expect(await channel.tools.getPrompt('greet', { who: 'you' })).toEqual({
      ok: true,
      value: { greeting: { who: 'you' } },
    })
    expect(await channel.tools.getPrompt('bad', {})).toEqual({ ok: false, code: 'page_error', error: 'no prompt' })
    expect(page.messages.map(({ type }) => type)).toEqual(expect.arrayContaining(['readResource', 'getPrompt']))
  })

  it('fail at once, with words, while no channel is connected', async () => {
    const { relay } = await relayServer({ clock: fakeClock() })
    const channel = relay.open({ sessionId: 's', origin: shop() })
    channel.tools.declare({ name: 'a' })
    expect(await channel.tools.call({ name: 'a', arguments: {} })).toEqual({
      ok: false,
      code: 'not_connected',
      error: "The page is not connected, so its tools can't be used right now.",
    })
  })

  it('may stay open for 10 minutes; then the engine gives up and tells the page', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock, limits: { pingMs: 60 * MINUTE } })
    const { channel, page } = await makePage({ tools: { ask: { run: () => new Promise(() => undefined) } } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(10 * MINUTE - 1)
    expect(channel.tools.openCalls).toBe(1)
    clock.advance(1)
    expect(await call).toMatchObject({ ok: false, code: 'timed_out' })
    expect(await page.next(({ type }) => type === 'cancelCall')).toEqual({ type: 'cancelCall', id })
  })

  it('that the AI takes back are taken back from the page (additive cancelCall); its answer is ignored', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { ask: { run: () => new Promise(() => undefined) } } })
    const controller = new AbortController()
    const call = channel.tools.call({ name: 'ask', arguments: {}, signal: controller.signal })
    const [{ id } = { id: '' }] = await page.called(1)
    controller.abort()
    expect(await call).toMatchObject({ ok: false, code: 'cancelled' })
    expect(await page.next(({ type }) => type === 'cancelCall')).toEqual({ type: 'cancelCall', id })
    page.answer(id, { result: 'late' })
    page.send({ type: 'ping' })
    await page.next(({ type }) => type === 'pong')
  })

  it('end with the turn: what still waits is cancelled at the page', async () => {
    const { page: makePage } = await relayServer({ limits: { maxCallsPerTurn: 1 } })
    const { channel, page } = await makePage({ tools: { ask: { run: () => new Promise(() => undefined) } } })
    channel.beginTurn()
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    expect(await channel.tools.call({ name: 'ask', arguments: {} })).toMatchObject({ code: 'over_budget' })
    channel.endTurn()
    expect(await call).toMatchObject({ code: 'cancelled' })
    await page.next(({ type }) => type === 'cancelCall')
  })

  it('take the first of several answers', async () => {
    const { page: makePage } = await relayServer()
    let count = 0
    const { channel, page } = await makePage({ tools: { count: { run: () => ++count } } })
    page.answerCount = 3
    expect(await channel.tools.call({ name: 'count', arguments: {} })).toEqual({ ok: true, text: '1' })
    expect(await channel.tools.call({ name: 'count', arguments: {} })).toEqual({ ok: true, text: '2' })
  })

  it('run side by side and keep their answers apart', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: {} })
    await page.declare({ type: 'registerTool', name: 'echo' })
    page.answersCalls = false
    const calls = Array.from({ length: 20 }, (_, at) => channel.tools.call({ name: 'echo', arguments: { at } }))
    const asked = await page.called(20)
    for (const { id, arguments: args } of [...asked].reverse()) page.answer(id, { result: JSON.stringify(args) })
    const outcomes = await Promise.all(calls)
    expect(outcomes).toEqual(calls.map((_, at) => ({ ok: true, text: JSON.stringify({ at }) })))
  })

  it('end with the session, with words', async () => {
    const { relay, page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { ask: { run: () => new Promise(() => undefined) } } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    channel.close('the visitor closed it')
    expect(await call).toEqual({
      ok: false,
      code: 'session_ended',
      error: 'The session has ended: the visitor closed it',
    })
    channel.close('again')
    expect(relay.counts()).toEqual({ channels: 0, registerSockets: 0, openCalls: 0, mcp: 0 })
  })
})

describe('liveness', () => {
  it('answers ping with pong', async () => {
    const { page: makePage } = await relayServer()
    const { page } = await makePage()
    page.send({ type: 'ping' })
    expect(await page.next(({ type }) => type === 'pong')).toEqual({ type: 'pong' })
  })

  it('pings every 15 s, and keeps a page that answers', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    const { channel, page } = await makePage()
    const pings = () => page.messages.filter(({ type }) => type === 'ping').length
    clock.advance(15 * SECOND - 1)
    await settle()
    expect(pings()).toBe(0)
    clock.advance(1)
    await until(() => pings() === 1)
    for (let round = 2; round < 8; round += 1) {
      // The pong must have arrived before the next ping is due; another exchange shows that it has.
      page.send({ type: 'ping' })
      await until(() => page.messages.filter(({ type }) => type === 'pong').length === round - 1)
      clock.advance(15 * SECOND)
      await until(() => pings() === round)
    }
    expect(channel.connected()).toBe(true)
  })

  it('closes the channel after two missed pongs', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    const { channel, page } = await makePage()
    page.answersPings = false
    clock.advance(15 * SECOND)
    clock.advance(15 * SECOND)
    await until(() => page.messages.filter(({ type }) => type === 'ping').length === 2)
    expect(channel.connected()).toBe(true)
    const closed = page.closed()
    clock.advance(15 * SECOND)
    expect(channel.connected()).toBe(false)
    expect(await closed).toEqual({ code: 4002, reason: 'no pong' })
    await until(() => clock.pending === 0)
  })

  it('cuts a socket that does not finish closing', async () => {
    const clock = fakeClock()
    const { page: makePage, connections } = await relayServer({ clock })
    const { channel, page } = await makePage()
    await until(() => channel.connected())
    // A page that no longer reads: its side never answers the close.
    page.pause()
    channel.close('done')
    await settle()
    expect(await connections()).toBe(1)
    clock.advance(2 * SECOND)
    for (let tries = 0; tries < 200 && (await connections()) > 0; tries += 1) await settle()
    expect(await connections()).toBe(0)
  })
})

describe('a channel that drops', () => {
  const slowTool = () => {
    const answers: ((result: string) => void)[] = []
    return { answers, tool: { run: () => new Promise<string>((resolve) => answers.push(resolve)) } }
  }

  it('new calls fail at once, calls in flight wait 10 s for the page and then fail with words', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    const { channel, page } = await makePage({ tools: { ask: slowTool().tool } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    page.drop()
    await until(() => !channel.connected())
    expect(await channel.tools.call({ name: 'ask', arguments: {} })).toMatchObject({ code: 'not_connected' })
    clock.advance(10 * SECOND - 1)
    await settle()
    expect(channel.tools.openCalls).toBe(1)
    clock.advance(1)
    expect(await call).toEqual({
      ok: false,
      code: 'not_connected',
      error:
        'The connection to the page was lost during this call, and the page did not come back within 10 seconds. The tool may or may not have been used: check before you try again.',
    })
    expect(clock.pending).toBe(0)
  })

  it('a call is sent again, once, with the same id, when the tool is declared again', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    const { answers, tool } = slowTool()
    const { channel, page } = await makePage({ tools: { ask: tool } })
    const call = channel.tools.call({ name: 'ask', arguments: { a: 1 } })
    await page.called(1)
    page.drop()
    await until(() => !channel.connected())
    await page.reconnect()
    await page.called(2)
    await page.declareAll()
    expect(page.calls).toHaveLength(2)
    expect(page.calls[1]).toEqual(page.calls[0])
    answers[1]?.('after reload')
    expect(await call).toEqual({ ok: true, text: 'after reload' })
    clock.advance(20 * SECOND)
  })

  it('a call is not sent again while its tool is not declared again, and fails after 10 s', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    const { channel, page } = await makePage({ tools: { ask: slowTool().tool, other: slowTool().tool } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    page.drop()
    await until(() => !channel.connected())
    await page.openChannel()
    await page.declare({ type: 'registerTool', name: 'other' })
    expect(page.calls).toHaveLength(1)
    clock.advance(10 * SECOND)
    expect(await call).toMatchObject({
      code: 'not_connected',
      error: expect.stringContaining('came back, but did not answer or offer this tool again') as unknown,
    })
  })

  it('an answer to the old call on the new socket counts', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { ask: slowTool().tool } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    const [{ id } = { id: '' }] = await page.called(1)
    page.drop()
    await until(() => !channel.connected())
    await page.openChannel()
    page.answer(id, { result: 'kept working' })
    expect(await call).toEqual({ ok: true, text: 'kept working' })
  })

  it('a call that was sent again waits once more, but is not sent a third time', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    const { channel, page } = await makePage({ tools: { ask: slowTool().tool } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    for (const _ of [1, 2]) {
      page.drop()
      await until(() => !channel.connected())
      await page.reconnect()
    }
    expect(page.calls).toHaveLength(2)
    clock.advance(10 * SECOND)
    expect(await call).toMatchObject({ code: 'not_connected' })
    expect(page.calls).toHaveLength(2)
  })

  it('a call that waits can still be cancelled, and resources wait as tools do', async () => {
    const clock = fakeClock()
    const { page: makePage } = await relayServer({ clock })
    let reads = 0
    const { channel, page } = await makePage({
      tools: { ask: slowTool().tool },
      resources: { r: () => (++reads === 1 ? new Promise(() => undefined) : 'second') },
    })
    const controller = new AbortController()
    const call = channel.tools.call({ name: 'ask', arguments: {}, signal: controller.signal })
    const read = channel.tools.readResource('r')
    await until(() => reads === 1)
    page.drop()
    await until(() => !channel.connected())
    controller.abort()
    expect(await call).toMatchObject({ code: 'cancelled' })
    await page.reconnect()
    expect(await read).toEqual({ ok: true, value: 'second' })
    expect(page.calls).toHaveLength(1)
  })

  // Notes 8.2 (3)
  it('a new socket replaces the old one and closes it; the late close of the old one changes nothing', async () => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { now: { run: () => 'ok' } } })
    const told: boolean[] = []
    channel.onConnectedChange((connected) => told.push(connected))
    const closed = page.closed()
    await page.openChannel()
    expect(await closed).toEqual({ code: 4001, reason: 'This channel was opened again.' })
    expect(channel.connected()).toBe(true)
    expect(told).toEqual([])
    expect(await channel.tools.call({ name: 'now', arguments: {} })).toEqual({ ok: true, text: 'ok' })
  })

  it('calls on a replaced socket are treated as calls on a dropped one', async () => {
    const { page: makePage } = await relayServer()
    const { answers, tool } = slowTool()
    const { channel, page } = await makePage({ tools: { ask: tool } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    await page.reconnect()
    await page.called(2)
    answers[1]?.('second')
    expect(await call).toEqual({ ok: true, text: 'second' })
  })
})

describe('limits and nonsense', () => {
  it('takes a frame as large as the limit and closes on a larger one, with words for the AI', async () => {
    const { page: makePage } = await relayServer({ maxPayload: 100_000 })
    const { channel, page } = await makePage({
      tools: { big: { run: (size) => 'x'.repeat((size as { n: number }).n) } },
    })
    expect(await channel.tools.call({ name: 'big', arguments: { n: 99_000 } })).toMatchObject({ ok: true })
    const closed = page.closed()
    expect(await channel.tools.call({ name: 'big', arguments: { n: 100_001 } })).toMatchObject({
      ok: false,
      code: 'too_large',
    })
    expect((await closed).code).toBe(1009)
  })

  it('does not send to a page that has stopped reading, beyond the limit', async () => {
    const { page: makePage } = await relayServer({ limits: { maxUnsentBytes: 1_000_000 } })
    const { channel, page } = await makePage({ tools: { sink: { run: () => 1 } } })
    page.pause()
    const calls = Array.from({ length: 40 }, () =>
      channel.tools.call({ name: 'sink', arguments: { a: 'x'.repeat(500_000) } }),
    )
    await until(() => !channel.connected())
    channel.close('end of test')
    for (const outcome of await Promise.all(calls)) expect(outcome.ok).toBe(false)
  })

  it.each<[string, string | Buffer, RegExp]>([
    ['no JSON', 'hello', /not JSON/],
    ['a binary frame', Buffer.from('{"type":"ping"}'), /text frames/],
    ['a list', '[]', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['more lists than a result has', `{"x":[${'[],'.repeat(256 * 1024 - 1)}0]}`, /at most 262144 objects and lists/],
    ['as many lists as a frame may have', `{"x":[${'[],'.repeat(256 * 1024 - 2)}0]}`, /needs a "type"/],
    ['no type', '{}', /needs a "type"/],
    ['a type that is no text', '{"type":{}}', /needs a "type"/],
    ['an unknown type', '{"type":"launch"}', /Unknown message type "launch"/],
    ['a type from the prototype', '{"type":"toString"}', /Unknown message type/],
    ['an answer without an id', '{"type":"toolResponse","result":1}', /toolResponse: id is missing/],
    ['a deregistration without a name', '{"type":"deregisterTool"}', /deregisterTool: name is missing/],
  ])('answers %s with words and goes on', async (_, data, words) => {
    const { page: makePage } = await relayServer()
    const { channel, page } = await makePage({ tools: { now: { run: () => 'ok' } } })
    page.sendRaw(data)
    expect(await page.next(({ type }) => type === 'error')).toEqual({
      type: 'error',
      message: expect.stringMatching(words) as unknown,
    })
    expect(await channel.tools.call({ name: 'now', arguments: {} })).toEqual({ ok: true, text: 'ok' })
  })

  it('closes a page that sends nothing but nonsense', async () => {
    const { page: makePage } = await relayServer({ limits: { maxBadFrames: 5 } })
    const { page } = await makePage()
    const closed = page.closed()
    for (let count = 0; count < 6; count += 1) page.sendRaw('nonsense')
    expect(await closed).toEqual({ code: 1008, reason: 'too many messages that make no sense' })
    expect(page.messages.filter(({ type }) => type === 'error')).toHaveLength(5)
  })

  it('survives any JSON and any bytes', async () => {
    const { page: makePage, log } = await relayServer({ limits: { maxBadFrames: Infinity } })
    const { channel, page } = await makePage({ tools: { now: { run: () => 'ok' } } })
    const type = fc.constantFrom(
      'registerTool',
      'deregisterTool',
      'registerResource',
      'registerPrompt',
      'toolResponse',
      'pong',
      'ping',
      'x',
    )
    const field = fc.constantFrom(
      'name',
      'uri',
      'id',
      'tool',
      'resource',
      'prompt',
      'inputSchema',
      'result',
      'error',
      'content',
      '__proto__',
    )
    const message = fc
      .tuple(type, fc.dictionary(field, fc.jsonValue()))
      .map(([each, rest]) => JSON.stringify({ ...rest, type: each }))
    const bytes = fc.uint8Array({ maxLength: 50 }).map((each) => Buffer.from(each))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(message, fc.json(), fc.string(), bytes), { maxLength: 20 }),
        async (frames) => {
          for (const frame of frames) page.sendRaw(frame)
          await page.declare({ type: 'registerTool', name: 'now' })
          expect(await channel.tools.call({ name: 'now', arguments: {} })).toEqual({ ok: true, text: 'ok' })
        },
      ),
      { numRuns: 60 },
    )
    expect(log).toEqual([])
  })
})

describe('the relay as a whole', () => {
  it('leaves nothing behind when it closes', async () => {
    const clock = fakeClock()
    const { relay, page: makePage, server } = await relayServer({ clock })
    const { channel, page } = await makePage({ tools: { ask: { run: () => new Promise(() => undefined) } } })
    const call = channel.tools.call({ name: 'ask', arguments: {} })
    await page.called(1)
    const register = new WebSocket(`${server}/webmcp/register`, { origin: SHOP })
    await new Promise((resolve) => register.once('open', resolve))
    const [closed, registerClosed] = [page.closed(), new Promise((resolve) => register.once('close', resolve))]
    await relay.close()
    await relay.close()
    expect(await call).toMatchObject({ code: 'session_ended' })
    expect((await closed).code).toBe(1001)
    expect(await registerClosed).toBe(1001)
    await until(() => clock.pending === 0)
    expect(relay.counts()).toEqual({ channels: 0, registerSockets: 0, openCalls: 0, mcp: 0 })
  })
})
