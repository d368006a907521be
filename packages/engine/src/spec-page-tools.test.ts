/**
 * The protocol page's Page tools, sentence by sentence, through a whole engine: a page on a real WebSocket, an AI that
 * calls. Each test is named by its sentence. Odd messages, drops and races are in `packages/webmcp-relay` (channel,
 * faults), what a call may be in `packages/page-tools`, MCP in the relay's mcp tests with the SDK's own clients.
 */
import { FakePage, type FakePageOptions } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVIL, SHOP } from './engine.fixture.js'
import { connectSite, type TestSession } from './site.fixture.js'
import { openModelEngine } from './model-engine.fixture.js'
import { Stage } from './stage.fixture.js'
import { askUpgrade } from './upgrade.fixture.js'

let stage: Stage
beforeEach(async () => {
  stage = await Stage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

/** What the AI does with the page's tools. */
const ai = () => stage.agent.session.options.tools
const call = (name: string, args: unknown = {}) => ai().call({ name, arguments: args })
const server = () => stage.test.engine.url.replace('http', 'ws')

/** A page that has not registered yet. */
function newPage(session: TestSession, options: Partial<FakePageOptions> = {}): FakePage {
  return new FakePage({ registrationToken: session.registrationToken, server: server(), origin: SHOP, ...options })
}

const TOOLS: FakePageOptions['tools'] = {
  text: { run: () => 'three mugs' },
  list: { run: () => [{ name: 'Celadon mug', price: 24 }] },
  nothing: { run: () => undefined },
  wait: { run: () => new Promise(() => undefined) },
  fail: {
    run: () => {
      throw new Error('The catalog is offline.')
    },
  },
}

it('"The page\'s tools run in the page. The engine relays the AI\'s calls to them over a WebSocket channel."', async () => {
  const session = await stage.idle()
  const page = await session.page({ tools: { add: { run: (args) => ({ got: args }) } } })
  expect(await call('add', { sku: 7 })).toEqual({ ok: true, text: '{"got":{"sku":7}}' })
  expect(page.calls).toMatchObject([{ tool: 'add', arguments: { sku: 7 } }])
})

describe('who may open a WebSocket', () => {
  const doors = ['/webmcp/register', '/webmcp/channel/00000000-0000-4000-8000-000000000000?token=x']

  it('"an upgrade is allowed when the page\'s origin has a grant"', async () => {
    const answers = await Promise.all(doors.map((path) => askUpgrade(stage.test.engine.port, path, { origin: SHOP })))
    expect(answers.map(({ status }) => status)).toEqual([101, 401])
  })

  it('"Upgrades from origins without a grant get 403."', async () => {
    for (const path of [...doors, '/webmcp/nope', '/'])
      expect((await askUpgrade(stage.test.engine.port, path, { origin: EVIL })).status).toBe(403)
  })

  it('a channel opens for its session’s own origin only', async () => {
    const session = await stage.idle()
    const page = await session.page({})
    await connectSite(stage.test, EVIL)
    expect((await askUpgrade(stage.test.engine.port, page.channel, { origin: EVIL })).status).toBe(403)
    expect((await askUpgrade(stage.test.engine.port, page.channel)).status).toBe(403)
    expect(page.open).toBe(true)
  })
})

describe('tokens', () => {
  it('"webmcpUrl is http://127.0.0.1:<port>."', async () => {
    const session = await stage.site.prepare()
    expect(await session.info()).toMatchObject({ webmcpUrl: `http://127.0.0.1:${stage.test.engine.port}` })
  })

  it('"registrationToken is base64 of { "server": "ws://127.0.0.1:<port>", "token": "<one-time token>" }."', async () => {
    const { registrationToken } = await stage.site.prepare()
    const token: unknown = JSON.parse(Buffer.from(registrationToken, 'base64').toString())
    expect(token).toEqual({ server: server(), token: expect.any(String) as unknown })
  })

  it.each(['the whole blob', 'just the inner token'])(
    '"Send it as it is: the engine accepts the whole blob, or just the inner token.": %s',
    async (form) => {
      const session = await stage.site.prepare()
      const blob = session.registrationToken
      const { token } = JSON.parse(Buffer.from(blob, 'base64').toString()) as { token: string }
      const reply = await newPage(session).register(form === 'the whole blob' ? blob : token)
      expect(reply.type).toBe('registerSuccess')
    },
  )
})

describe('handshake', () => {
  it('"The reply is { "type": "registerSuccess", "channel": "/webmcp/channel/<id>", "token": "<channel token>" }, or { "type": "error", "message" }."', async () => {
    const session = await stage.site.prepare()
    const page = newPage(session)
    expect(await page.register('wrong')).toEqual({ type: 'error', message: expect.any(String) as unknown })
    expect(await page.register(session.registrationToken)).toEqual({
      type: 'registerSuccess',
      channel: expect.stringMatching(/^\/webmcp\/channel\/[^/]+$/) as unknown,
      token: expect.any(String) as unknown,
    })
  })

  it('"The registration token works once."', async () => {
    const session = await stage.site.prepare()
    const page = newPage(session)
    await page.register(session.registrationToken)
    expect(await page.register(session.registrationToken)).toMatchObject({ type: 'error' })
    expect(await session.info()).toMatchObject({ registrationToken: session.registrationToken })
  })

  it('"A wrong token is refused with 401."', async () => {
    const session = await stage.site.prepare()
    const page = await session.page({})
    const path = page.channel.split('?')[0] ?? ''
    for (const query of ['', '?token=', '?token=wrong', `?token=${session.registrationToken}`])
      expect((await askUpgrade(stage.test.engine.port, path + query, { origin: SHOP })).status).toBe(401)
  })

  it('"The channel token stays valid for the session\'s life, so the page can reconnect with it."', async () => {
    const session = await stage.idle()
    const page = await session.page({ tools: TOOLS })
    for (let count = 0; count < 3; count += 1) {
      page.drop()
      await page.reconnect()
      expect(await call('text')).toMatchObject({ ok: true })
    }
    await session.act('close')
    await expect.poll(() => page.open).toBe(false)
    expect((await askUpgrade(stage.test.engine.port, page.channel, { origin: SHOP })).status).toBe(401)
  })

  it.each(['before', 'after'])('"Declare tools, before or after approve.": %s', async (when) => {
    const session = when === 'before' ? await stage.site.prepare() : await stage.idle()
    await session.page({ tools: TOOLS })
    if (when === 'before') {
      await session.act('approve')
      await session.until('ready')
    }
    expect(await call('text')).toEqual({ ok: true, text: 'three mugs' })
  })

  it('"Tools declared on a channel stay for the session."', async () => {
    const session = await stage.idle()
    const page = await session.page({ tools: TOOLS })
    page.drop()
    await stage.pass(60_000)
    expect(
      ai()
        .listTools()
        .map(({ name }) => name),
    ).toEqual(Object.keys(TOOLS))
    await page.openChannel()
    expect(await call('text')).toMatchObject({ ok: true })
  })

  it('"The engine closes the channel when the session ends."', async () => {
    const session = await stage.idle()
    const page = await session.page({})
    const closed = page.closed()
    await session.act('close')
    expect(await closed).toMatchObject({ code: 1000 })
  })
})

describe('page → engine', () => {
  let session: TestSession
  let page: FakePage
  beforeEach(async () => {
    session = await stage.idle()
    page = await session.page({ tools: TOOLS })
  })
  const names = (): string[] =>
    ai()
      .listTools()
      .map(({ name }) => name)

  it('"registerTool … name, description?, inputSchema? (default: an empty object schema), annotations?": adds or replaces a tool, acknowledged', async () => {
    const ack = { type: 'ack', registration: 'registerTool', name: 'buy' }
    expect(await page.declare({ type: 'registerTool', name: 'buy' })).toEqual(ack)
    expect(ai().listTools().at(-1)).toMatchObject({ name: 'buy', inputSchema: { type: 'object' } })
    const more = {
      description: 'Buys',
      inputSchema: { type: 'object', required: ['sku'] },
      annotations: { title: 'Buy' },
    }
    expect(await page.declare({ type: 'registerTool', name: 'buy', ...more })).toEqual(ack)
    expect(ai().listTools().at(-1)).toMatchObject({ name: 'buy', ...more })
    expect(names()).toHaveLength(Object.keys(TOOLS).length + 1)
  })

  it('"Also accepted nested as { tool: { … } }"', async () => {
    const ack = await page.declare({ type: 'registerTool', tool: { name: 'nested', description: 'Inside' } })
    expect(ack).toEqual({ type: 'ack', registration: 'registerTool', name: 'nested' })
    expect(ai().listTools().at(-1)).toMatchObject({ name: 'nested', description: 'Inside' })
  })

  it('"deregisterTool … Removes a tool."', async () => {
    page.send({ type: 'deregisterTool', name: 'text' })
    await expect.poll(names).not.toContain('text')
    expect(await call('text')).toMatchObject({ ok: false, code: 'unknown_tool' })
  })

  it('"registerResource … Adds a resource (MCP resources/list)", "readResource … resourceResponse"', async () => {
    const resource = { uri: 'shop://cart', name: 'Cart', description: 'What is in it', mimeType: 'text/plain' }
    expect(await page.declare({ type: 'registerResource', ...resource })).toMatchObject({
      type: 'ack',
      name: 'shop://cart',
    })
    expect(ai().listResources()).toEqual([resource])
    const reading = ai().readResource('shop://cart')
    const asked = await page.next(({ type }) => type === 'readResource')
    expect(asked).toEqual({ type: 'readResource', id: expect.any(String) as unknown, uri: 'shop://cart' })
    expect(await reading).toMatchObject({ ok: true })
    page.answersCalls = false
    const again = ai().readResource('shop://cart')
    const { id } = (await page.next(({ type }) => type === 'readResource', page.messages.indexOf(asked) + 1)) as {
      id: string
    }
    page.send({ type: 'resourceResponse', id, result: 'one mug' })
    expect(await again).toEqual({ ok: true, value: 'one mug' })
  })

  it('"registerPrompt … Adds a prompt (MCP prompts/list)", "getPrompt … promptResponse"', async () => {
    const prompt = { name: 'greet', description: 'A greeting', arguments: [{ name: 'who', required: true }] }
    expect(await page.declare({ type: 'registerPrompt', ...prompt })).toMatchObject({ type: 'ack', name: 'greet' })
    expect(ai().listPrompts()).toEqual([prompt])
    page.answersCalls = false
    const filling = ai().getPrompt('greet', { who: 'Ana' })
    const asked = await page.next(({ type }) => type === 'getPrompt')
    expect(asked).toEqual({
      type: 'getPrompt',
      id: expect.any(String) as unknown,
      name: 'greet',
      arguments: { who: 'Ana' },
    })
    page.send({ type: 'promptResponse', id: (asked as { id: string }).id, error: { message: 'Not now.' } })
    expect(await filling).toMatchObject({ ok: false, error: 'Not now.' })
  })

  it('"toolResponse … id, then result, or error (a string, or { message })": answers a callTool', async () => {
    page.answersCalls = false
    const answers = [{ result: 'yes' }, { error: 'The catalog is offline.' }, { error: { message: 'Sold out.' } }]
    const outcomes: unknown[] = []
    for (const [at, answer] of answers.entries()) {
      const calling = call('text')
      page.answer((await page.called(at + 1))[at]?.id ?? '', answer)
      outcomes.push(await calling)
    }
    expect(outcomes).toMatchObject([
      { ok: true, text: 'yes' },
      { ok: false, error: 'The catalog is offline.' },
      { ok: false, error: 'Sold out.' },
    ])
  })

  it('"ping … The engine answers { type: "pong" }"', async () => {
    page.send({ type: 'ping' })
    expect(await page.next(({ type }) => type === 'pong')).toEqual({ type: 'pong' })
  })

  it('"pong … Answer to the engine\'s ping": a page that leaves two unanswered is taken for gone', async () => {
    page.answersPings = false
    const closed = page.closed()
    await stage.pass(15_000)
    await stage.pass(15_000)
    expect(page.open).toBe(true)
    await stage.pass(15_000)
    expect((await closed).code).toBe(4002)
  })
})

describe('engine → page', () => {
  it('"callTool … id, tool, arguments … toolResponse with the same id"', async () => {
    const page = await (await stage.idle()).page({ tools: TOOLS })
    await Promise.all([call('text', { n: 1 }), call('list', { n: 2 })])
    const sent = page.messages.filter(({ type }) => type === 'callTool')
    expect(sent).toEqual([
      { type: 'callTool', id: expect.any(String) as unknown, tool: 'text', arguments: { n: 1 } },
      { type: 'callTool', id: expect.any(String) as unknown, tool: 'list', arguments: { n: 2 } },
    ])
    expect(new Set(page.calls.map(({ id }) => id)).size).toBe(2)
  })

  it('"ping … pong. Sent every 15 s"', async () => {
    const page = await (await stage.idle()).page({})
    const pings = (): number => page.messages.filter(({ type }) => type === 'ping').length
    await stage.pass(14_999)
    expect(pings()).toBe(0)
    for (let count = 1; count <= 5; count += 1) {
      await stage.pass(count === 1 ? 1 : 15_000)
      await expect.poll(pings).toBe(count)
    }
    expect(page.open).toBe(true)
  })

  it('cancelling a turn tells the page (additive): cancelCall { id }', async () => {
    const session = await stage.running()
    const page = await session.page({ tools: TOOLS })
    const calling = call('wait')
    const [asked] = await page.called(1)
    await session.act('cancel-turn')
    expect(await calling).toMatchObject({ ok: false, code: 'cancelled' })
    expect(await page.next(({ type }) => type === 'cancelCall')).toEqual({ type: 'cancelCall', id: asked?.id })
    page.answer(asked?.id ?? '', { result: 'late' })
    expect(await call('text')).toEqual({ ok: true, text: 'three mugs' })
  })
})

describe('calls', () => {
  it('"A call may stay open for 10 minutes … After that the engine gives up on it."', async () => {
    const page = await (await stage.idle()).page({ tools: TOOLS })
    let outcome: unknown
    void call('wait').then((ended) => (outcome = ended))
    await page.called(1)
    // In steps, so that the page can answer the pings.
    for (let minute = 0; minute < 40; minute += 1) await stage.pass(minute === 39 ? 14_999 : 15_000)
    expect(outcome).toBeUndefined()
    await stage.pass(1)
    expect(outcome).toMatchObject({ ok: false, code: 'timed_out' })
  })

  it('"A result that is a string reaches the AI as it is. Anything else reaches it as JSON text. An error reaches it as a failed tool call."', async () => {
    await (await stage.idle()).page({ tools: TOOLS })
    expect(await call('text')).toEqual({ ok: true, text: 'three mugs' })
    expect(await call('list')).toEqual({ ok: true, text: '[{"name":"Celadon mug","price":24}]' })
    expect(await call('fail')).toMatchObject({ ok: false, error: 'The catalog is offline.' })
    expect(await call('nothing')).toMatchObject({ ok: true })
  })

  it('"A call that arrives while no channel is connected fails at once"', async () => {
    const page = await (await stage.idle()).page({ tools: TOOLS })
    page.drop()
    await expect.poll(() => stage.test.engine.openSockets).toBe(0)
    expect(await call('text')).toMatchObject({ ok: false, code: 'not_connected' })
  })

  it('waits 10 s for a page that dropped in the middle, sends the call again once with the same id, and answers it once', async () => {
    const page = await (await stage.idle()).page({ tools: { slow: { run: () => 'done' } } })
    page.answersCalls = false
    const calling = call('slow')
    const [first] = await page.called(1)
    page.drop()
    await stage.pass(9_000)
    page.answersCalls = true
    page.answerCount = 2
    await page.reconnect()
    expect(await calling).toEqual({ ok: true, text: 'done' })
    expect(page.calls.map(({ id }) => id)).toEqual([first?.id, first?.id])
  })

  it('checks the AI’s arguments before the page is asked', async () => {
    const schema = { type: 'object', properties: { sku: { type: 'number' } }, required: ['sku'] }
    const page = await (await stage.idle()).page({ tools: { add: { inputSchema: schema, run: () => 'added' } } })
    expect(await call('add', { sku: 'seven' })).toMatchObject({
      ok: false,
      code: 'invalid_arguments',
      error: expect.stringContaining('sku') as unknown,
    })
    expect(page.calls).toEqual([])
    expect(await call('add', { sku: 7 })).toMatchObject({ ok: true })
  })
})

describe("the AI's side", () => {
  const ask = (token: string, method: string, params: object = {}) =>
    stage.test.call('/webmcp/mcp', { token, body: { jsonrpc: '2.0', id: 1, method, params } })
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

  it('"The agent reaches the same tools at POST /webmcp/mcp: MCP over streamable HTTP, with Authorization: Bearer <channel token>, as the MCP server webmcp."', async () => {
    const session = await stage.idle()
    const page = await session.page({ tools: { find: { run: () => 'three mugs' } } })
    const token = new URLSearchParams(page.channel.split('?')[1]).get('token') ?? ''
    expect((await ask(token, 'initialize', initialize)).json).toMatchObject({
      result: { serverInfo: { name: 'webmcp' } },
    })
    expect((await ask(token, 'tools/list')).json).toMatchObject({ result: { tools: [{ name: 'find' }] } })
    expect((await ask(token, 'tools/call', { name: 'find', arguments: {} })).json).toMatchObject({
      result: { content: [{ type: 'text', text: 'three mugs' }] },
    })
    expect((await ask('wrong', 'tools/list')).status).toBe(401)
  })

  it('gives agents a token of their own, which opens no channel', async () => {
    const session = await stage.idle()
    const page = await session.page({ tools: { find: { run: () => 'three mugs' } } })
    const { mcp } = stage.agent.session.options
    expect(mcp.url).toBe(`${stage.test.engine.url}/webmcp/mcp`)
    expect((await ask(mcp.token, 'tools/list')).json).toMatchObject({ result: { tools: [{ name: 'find' }] } })
    const path = `${page.channel.split('?')[0] ?? ''}?token=${mcp.token}`
    expect((await askUpgrade(stage.test.engine.port, path, { origin: SHOP })).status).toBe(401)
  })

  it('"Pages can\'t call this endpoint (403)."', async () => {
    const session = await stage.idle()
    const page = await session.page({})
    const token = new URLSearchParams(page.channel.split('?')[1]).get('token') ?? ''
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const [origin, used] of [
      [SHOP, stage.site.token],
      [SHOP, token],
      [stage.test.engine.url, token],
    ] as const)
      expect((await stage.test.call('/webmcp/mcp', { origin, token: used, body })).status).toBe(403)
    // Without its grant token the gate doesn't even say which routes there are (Authentication).
    expect((await stage.test.call('/webmcp/mcp', { origin: SHOP, body })).status).toBeGreaterThanOrEqual(401)
  })

  it('"Models run by the engine\'s own tool loop (LM Studio, Ollama, OpenAI-compatible APIs) get the same tools in-process." "… as mcp__webmcp__<name>"', async () => {
    await using engine = await openModelEngine('test-model', {
      answers: [[{ call: { name: 'find', arguments: { what: 'mug' } } }], [{ say: 'Three mugs.' }]],
    })
    const session = await (await connectSite(engine.test)).prepare({ prompt: 'What is there?' })
    const page = await session.page({ tools: { find: { run: () => 'three mugs' } } })
    await session.act('approve')
    expect((await session.until('turn_completed')).data).toMatchObject({ text: 'Three mugs.' })
    expect(page.calls).toMatchObject([{ tool: 'find', arguments: { what: 'mug' } }])
    expect(session.events.filter(({ event }) => event === 'tool_call').map(({ data }) => data)).toMatchObject([
      { toolName: 'mcp__webmcp__find', status: 'in_progress' },
      { toolName: 'mcp__webmcp__find', status: 'completed' },
    ])
    expect(JSON.stringify(engine.server.exchanges[1]?.body.messages)).toContain('three mugs')
  })
})
