// The MCP endpoint as a bare client sees it: status codes, bodies, both eras without an SDK's help.
import { fakeClock, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { type BareAnswer, INITIALIZE, post, rpc } from './mcp-bare.fixture.js'
import { relayServer, type RelayServerOptions, SHOP } from './relay-server.fixture.js'

async function setUp(options: RelayServerOptions = {}) {
  const server = await relayServer(options)
  const made = await server.page({
    tools: {
      search: {
        description: 'Search',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
        run: (args) => ({ found: args }),
      },
      fail: {
        run: () => {
          throw new Error('The catalog is offline.')
        },
      },
      wait: { run: () => new Promise(() => undefined) },
    },
    resources: { 'shop://cart': () => ({ content: '2 mugs', mimeType: 'text/plain' }) },
    prompts: { greet: (args) => ({ messages: [{ role: 'user', content: `Greet ${(args as { who: string }).who}` }] }) },
  })
  const token = made.channel.agentToken
  const ask = (method: string, params?: object, headers?: Record<string, string>): Promise<BareAnswer> =>
    post({ url: server.mcpUrl, token }, rpc(method, params), { headers })
  return { ...server, ...made, token, ask }
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !holds(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 2))
  expect(holds()).toBe(true)
}

const BOTH = { accept: 'application/json, text/event-stream' }

describe('who may use it', () => {
  it('401 without a token, with an unknown one, and with the registration token', async () => {
    const { mcpUrl, channel } = await setUp()
    for (const token of [null, 'nope', `${channel.id}.nope`, channel.registrationToken, '']) {
      const answer = await post({ url: mcpUrl, token }, rpc('ping'))
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.json).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'This token is not valid, or its session has ended.' },
      })
    }
  })

  it('takes the channel token and the agent token', async () => {
    const { mcpUrl, channel } = await setUp()
    for (const token of [channel.channelToken, channel.agentToken]) {
      expect(await post({ url: mcpUrl, token }, rpc('ping'))).toMatchObject({
        status: 200,
        json: { jsonrpc: '2.0', id: 1, result: {} },
      })
    }
  })

  it('tells when an agent has found its way here, and only then', async () => {
    const { mcpUrl, channel } = await setUp()
    let found = false
    void channel.mcpConnected.then(() => (found = true))
    await post({ url: mcpUrl, token: `${channel.id}.nope` }, rpc('initialize', INITIALIZE))
    expect(found).toBe(false)
    await post({ url: mcpUrl, token: channel.agentToken }, rpc('initialize', INITIALIZE))
    await channel.mcpConnected
  })

  it("pages can't call it (403), whatever token they have", async () => {
    const { mcpUrl, channel } = await setUp()
    for (const origin of [SHOP, 'null', 'https://evil.example'])
      expect(
        (await post({ url: mcpUrl, token: channel.channelToken }, rpc('ping'), { headers: { origin } })).status,
      ).toBe(403)
  })

  it('401 once the session has ended', async () => {
    const { mcpUrl, channel, token } = await setUp()
    channel.close('done')
    expect((await post({ url: mcpUrl, token }, rpc('ping'))).status).toBe(401)
  })
})

describe('what is asked', () => {
  it('is refused with the right status when it makes no sense', async () => {
    const { mcpUrl, token } = await setUp()
    const cases: [unknown, number, number][] = [
      ['not json', 400, -32700],
      ['', 400, -32700],
      ['null', 400, -32600],
      ['{}', 400, -32600],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600],
      [`[${'[],'.repeat(256 * 1024)}0]`, 413, -32000],
      [`[${'[],'.repeat(256 * 1024 - 1)}0]`, 400, -32600],
    ]
    for (const [body, status, code] of cases)
      expect(await post({ url: mcpUrl, token }, body)).toMatchObject({
        status,
        json: { jsonrpc: '2.0', error: { code } },
      })
  })

  it('may have 16 MB, not more', async () => {
    const { mcpUrl, token } = await setUp()
    const fill = (bytes: number) => ' '.repeat(bytes - JSON.stringify(rpc('ping')).length) + JSON.stringify(rpc('ping'))
    expect((await post({ url: mcpUrl, token }, fill(16 * 1024 * 1024))).status).toBe(200)
    expect((await post({ url: mcpUrl, token }, fill(16 * 1024 * 1024 + 1))).status).toBe(413)
  })

  it('GET and DELETE without a session are 405; other methods too', async () => {
    const { mcpUrl, token } = await setUp()
    for (const method of ['GET', 'DELETE']) {
      const answer = await post({ url: mcpUrl, token }, undefined, { method, headers: { accept: 'text/event-stream' } })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect((await post({ url: mcpUrl, token }, undefined, { method: 'PUT' })).status).toBe(405)
  })

  it('a notification is 202 and empty', async () => {
    const { mcpUrl, token } = await setUp()
    const answer = await post({ url: mcpUrl, token }, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([answer.status, answer.text]).toEqual([202, ''])
  })

  it('an unknown method is a JSON-RPC error', async () => {
    const { ask } = await setUp()
    expect(await ask('tasks/list')).toMatchObject({ status: 200, json: { id: 1, error: { code: -32601 } } })
  })

  it('needs no Accept and no Content-Type, and is answered in plain JSON', async () => {
    const { ask } = await setUp()
    expect(await ask('tools/list')).toMatchObject({ status: 200, type: 'application/json' })
    expect(await ask('initialize', INITIALIZE)).toMatchObject({
      status: 200,
      type: expect.stringContaining('application/json') as unknown,
    })
  })

  it('a batch, as the 2025-03-26 revision has it, is answered', async () => {
    const { mcpUrl, token } = await setUp()
    const answer = await post(
      { url: mcpUrl, token },
      [rpc('ping'), rpc('tools/call', { name: 'search', arguments: { query: 'a' } }, 2)],
      { headers: BOTH },
    )
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('found')
  })
})

describe('operations', () => {
  it('initialize negotiates the version and names the server webmcp', async () => {
    const { ask } = await setUp()
    for (const [asked, agreed] of [
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2024-11-05', '2024-11-05'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const answer = await ask('initialize', { ...INITIALIZE, protocolVersion: asked })
      expect(answer.json).toMatchObject({
        result: {
          protocolVersion: agreed,
          serverInfo: { name: 'webmcp', version: '1.2.3' },
          capabilities: {
            tools: { listChanged: true },
            resources: { listChanged: true },
            prompts: { listChanged: true },
          },
        },
      })
      expect(answer.headers.get('mcp-session-id')).toMatch(/./)
    }
  })

  it('server/discover names the 2026 revision', async () => {
    const { mcpUrl, token } = await setUp()
    const answer = await post({ url: mcpUrl, token }, rpc('server/discover', { _meta: ENVELOPE }), {
      headers: { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
    })
    expect(answer).toMatchObject({ status: 200, json: { result: { supportedVersions: ['2026-07-28'] } } })
  })

  it('tools/list gives name, description, schema', async () => {
    const { ask } = await setUp()
    expect((await ask('tools/list')).json).toMatchObject({
      result: {
        tools: [
          {
            name: 'search',
            description: 'Search',
            inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
          },
          { name: 'fail', inputSchema: { type: 'object', properties: {} } },
          { name: 'wait' },
        ],
      },
    })
  })

  it('tools/call gives the result as text', async () => {
    const { ask } = await setUp()
    expect((await ask('tools/call', { name: 'search', arguments: { query: 'mug' } })).json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '{"found":{"query":"mug"}}' }] },
    })
  })

  it('a failed call is a result with isError, with words', async () => {
    const { ask } = await setUp()
    expect((await ask('tools/call', { name: 'fail' })).json).toMatchObject({
      result: { isError: true, content: [{ type: 'text', text: 'The catalog is offline.' }] },
    })
    expect((await ask('tools/call', { name: 'search', arguments: {} })).json).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('"query" is missing') as unknown }] },
    })
  })

  it('an unknown tool, or none, is invalid params', async () => {
    const { ask } = await setUp()
    for (const params of [{ name: 'nope' }, { name: 5 }, {}])
      expect((await ask('tools/call', params)).json).toMatchObject({ error: { code: -32602 } })
  })

  it('images, resources and structured content come from the additive content field only', async () => {
    const { ask, page } = await setUp()
    page.answersCalls = false
    const answer = ask('tools/call', { name: 'fail' })
    const [{ id } = { id: '' }] = await page.called(1)
    page.answer(id, { result: { price: 24 }, content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] })
    expect((await answer).json).toMatchObject({
      result: { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], structuredContent: { price: 24 } },
    })
  })

  it('resources: list, read, and one that does not exist', async () => {
    const { ask } = await setUp()
    expect((await ask('resources/list')).json).toMatchObject({
      result: { resources: [{ uri: 'shop://cart', name: 'shop://cart' }] },
    })
    expect((await ask('resources/templates/list')).json).toMatchObject({ result: { resourceTemplates: [] } })
    expect((await ask('resources/read', { uri: 'shop://cart' })).json).toMatchObject({
      result: { contents: [{ uri: 'shop://cart', mimeType: 'text/plain', text: '2 mugs' }] },
    })
    expect((await ask('resources/read', { uri: 'shop://no' })).json).toMatchObject({
      error: { code: -32602, data: { uri: 'shop://no' } },
    })
  })

  it.each<[string, unknown, object]>([
    ['a string', 'text', { mimeType: 'text/plain', text: 'text' }],
    ['{ content }', { content: 'c' }, { mimeType: 'text/plain', text: 'c' }],
    ['{ blob }', { blob: 'aGk=', mimeType: 'image/png' }, { mimeType: 'image/png', blob: 'aGk=' }],
    [
      'MCP contents',
      { contents: [{ uri: 'x:1', text: 't', mimeType: 'text/html' }] },
      { uri: 'x:1', mimeType: 'text/html', text: 't' },
    ],
    ['any other value', { items: [1] }, { mimeType: 'application/json', text: '{"items":[1]}' }],
    ['contents that are wrong', { contents: [5] }, { mimeType: 'application/json', text: '{"contents":[5]}' }],
    ['nothing', null, { mimeType: 'application/json', text: 'null' }],
  ])('a resource that is %s can be read', async (_, value, contents) => {
    const server = await relayServer()
    const { channel } = await server.page({ resources: { 'a:b': () => value } })
    const answer = await post({ url: server.mcpUrl, token: channel.agentToken }, rpc('resources/read', { uri: 'a:b' }))
    expect(answer.json).toMatchObject({ result: { contents: [contents] } })
  })

  it('prompts: list, get, and one that does not exist', async () => {
    const { ask } = await setUp()
    expect((await ask('prompts/list')).json).toMatchObject({ result: { prompts: [{ name: 'greet' }] } })
    expect((await ask('prompts/get', { name: 'greet', arguments: { who: 'Ann' } })).json).toMatchObject({
      result: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ann' } }] },
    })
    expect((await ask('prompts/get', { name: 'no' })).json).toMatchObject({ error: { code: -32602 } })
  })

  it('a page that is not connected: words for the AI, an error for a resource', async () => {
    const { ask, page, channel } = await setUp()
    page.drop()
    await until(() => !channel.connected())
    expect((await ask('tools/call', { name: 'fail' })).json).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('not connected') as unknown }] },
    })
    expect((await ask('resources/read', { uri: 'shop://cart' })).json).toMatchObject({ error: { code: -32603 } })
  })

  // FC-18, for agents: their models' APIs are as strict.
  it('odd tool names get a legal, unique stand-in; the page is called by its own spelling', async () => {
    const server = await relayServer()
    const names = [
      'search_products',
      'cart.add',
      'add to cart',
      'add_to cart',
      'größe',
      '商品',
      '検索',
      'x'.repeat(100),
      'grosse',
      'add_to_cart',
    ]
    const { channel, page } = await server.page({
      tools: Object.fromEntries(names.map((name) => [name, { run: () => name }])),
    })
    const list = await post({ url: server.mcpUrl, token: channel.agentToken }, rpc('tools/list'))
    const { tools } = (list.json as { result: { tools: { name: string; title?: string }[] } }).result
    expect(tools.map(({ name }) => name)).toEqual([
      'search_products',
      'cart_add',
      'add_to_cart_2',
      'add_to_cart_3',
      'gro_e',
      'tool',
      'tool_2',
      'x'.repeat(48),
      'grosse',
      'add_to_cart',
    ])
    expect(new Set(tools.map(({ name }) => name)).size).toBe(names.length)
    expect(tools[1]).toMatchObject({ title: 'cart.add' })
    expect(tools[0]).not.toHaveProperty('title')
    for (const [at, { name }] of tools.entries()) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      await post({ url: server.mcpUrl, token: channel.agentToken }, rpc('tools/call', { name, arguments: {} }))
      expect(page.calls.at(-1)?.tool).toBe(names[at])
    }
    await post(
      { url: server.mcpUrl, token: channel.agentToken },
      rpc('tools/call', { name: 'cart.add', arguments: {} }),
    )
    expect(page.calls.at(-1)?.tool).toBe('cart.add')
  })
})

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bare', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe('the 2026 era', () => {
  const HEADERS = { ...BOTH, 'mcp-protocol-version': '2026-07-28' }

  it('answers calls with an envelope, and checks its headers', async () => {
    const { mcpUrl, token } = await setUp()
    const call = rpc('tools/call', { name: 'search', arguments: { query: 'a' }, _meta: ENVELOPE })
    const answer = await post({ url: mcpUrl, token }, call, {
      headers: { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'search' },
    })
    expect(answer).toMatchObject({
      status: 200,
      json: { result: { content: [{ type: 'text', text: '{"found":{"query":"a"}}' }] } },
    })
    expect(
      (
        await post({ url: mcpUrl, token }, call, {
          headers: { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'other' },
        })
      ).status,
    ).toBe(400)
    expect((await post({ url: mcpUrl, token }, rpc('tools/list'), { headers: HEADERS })).status).toBe(400)
  })

  it('refuses a revision it does not know', async () => {
    const { mcpUrl, token } = await setUp()
    const odd = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const answer = await post({ url: mcpUrl, token }, rpc('tools/list', { _meta: odd }), {
      headers: { ...BOTH, 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
    })
    expect(answer).toMatchObject({ status: 400, json: { error: { data: { supported: ['2026-07-28'] } } } })
    expect(
      (await post({ url: mcpUrl, token }, rpc('tools/list'), { headers: { 'mcp-protocol-version': 'nonsense' } }))
        .status,
    ).toBe(400)
  })

  it('takes a call back when the client hangs up', async () => {
    const { mcpUrl, token, page } = await setUp()
    const hangUp = new AbortController()
    const call = post({ url: mcpUrl, token }, rpc('tools/call', { name: 'wait', arguments: {}, _meta: ENVELOPE }), {
      headers: { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'wait' },
      signal: hangUp.signal,
    })
    await page.called(1)
    hangUp.abort()
    await expect(call).rejects.toThrow()
    expect(await page.next(({ type }) => type === 'cancelCall')).toMatchObject({ id: page.calls[0]?.id })
  })
})

describe('sessions of the 2025 era', () => {
  it('an unknown session is 404, for every method', async () => {
    const { mcpUrl, token } = await setUp()
    const headers = { ...BOTH, 'mcp-session-id': 'gone' }
    expect((await post({ url: mcpUrl, token }, rpc('tools/list'), { headers })).status).toBe(404)
    for (const method of ['GET', 'DELETE'])
      expect((await post({ url: mcpUrl, token }, undefined, { method, headers })).status).toBe(404)
  })

  it("another channel's session is unknown", async () => {
    const { mcpUrl, relay, ask } = await setUp()
    const session = (await ask('initialize', INITIALIZE)).headers.get('mcp-session-id') ?? ''
    const other = relay.open({ sessionId: 's2', origin: 'local' })
    expect(
      (await post({ url: mcpUrl, token: other.agentToken }, rpc('ping'), { headers: { 'mcp-session-id': session } }))
        .status,
    ).toBe(404)
  })

  it('ends with DELETE', async () => {
    const { mcpUrl, token, ask, relay } = await setUp()
    const session = (await ask('initialize', INITIALIZE)).headers.get('mcp-session-id') ?? ''
    const headers = { 'mcp-session-id': session }
    expect((await ask('tools/list', {}, headers)).status).toBe(200)
    expect((await post({ url: mcpUrl, token }, undefined, { method: 'DELETE', headers })).status).toBe(200)
    expect((await ask('tools/list', {}, headers)).status).toBe(404)
    expect(relay.counts().mcp).toBe(0)
  })

  it('are bounded: the one unused for longest goes', async () => {
    const { ask, relay } = await setUp({ limits: { maxMcpSessions: 2 } })
    const open = async () => (await ask('initialize', INITIALIZE)).headers.get('mcp-session-id') ?? ''
    const [first, second] = [await open(), await open()]
    await ask('ping', {}, { 'mcp-session-id': first })
    const third = await open()
    expect(relay.counts().mcp).toBe(2)
    const alive = async (session: string) => (await ask('ping', {}, { 'mcp-session-id': session })).status === 200
    expect([await alive(first), await alive(second), await alive(third)]).toEqual([true, false, true])
  })

  it('a broken initialize leaves no session', async () => {
    const { ask, relay } = await setUp()
    expect((await ask('initialize', { protocolVersion: 5 })).json).toHaveProperty('error')
    expect(relay.counts().mcp).toBe(0)
  })

  it('unknown methods of a session are answered by the SDK', async () => {
    const { ask } = await setUp()
    const session = (await ask('initialize', INITIALIZE)).headers.get('mcp-session-id') ?? ''
    expect((await ask('no/such', {}, { 'mcp-session-id': session })).json).toMatchObject({ error: { code: -32601 } })
  })
})

describe('calls that take long', () => {
  const KEEP = 15_000

  it('become an event stream with signs of life for clients that take one', async () => {
    const clock = fakeClock()
    const { page, ask } = await setUp({ clock, limits: { pingMs: 10_000_000 } })
    page.answersCalls = false
    const answer = ask('tools/call', { name: 'wait' }, BOTH)
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(KEEP)
    clock.advance(KEEP)
    page.answer(id, { result: 'at last' })
    const { type, text, json } = await answer
    expect(type).toBe('text/event-stream')
    expect(text).toMatch(/^: waiting\n\n: waiting\n\nevent: message\ndata: \{.*\}\n\n$/)
    expect(json).toMatchObject({ id: 1, result: { content: [{ text: 'at last' }] } })
    expect(clock.pending).toBe(1)
  })

  it('show progress to clients that asked for it', async () => {
    const clock = fakeClock()
    const { page, ask } = await setUp({ clock, limits: { pingMs: 10_000_000 } })
    page.answersCalls = false
    const answer = ask('tools/call', { name: 'wait', _meta: { progressToken: 'p1' } }, BOTH)
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(KEEP)
    page.answer(id, { result: 'at last' })
    const { text } = await answer
    expect(text).toContain(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":15,"message":"Waiting for the page"}}',
    )
  })

  it('stay JSON, with line breaks before it, for clients that take nothing else', async () => {
    const clock = fakeClock()
    const { page, ask } = await setUp({ clock, limits: { pingMs: 10_000_000 } })
    page.answersCalls = false
    const answer = ask('tools/call', { name: 'wait' }, { accept: 'application/json' })
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(KEEP)
    clock.advance(KEEP)
    page.answer(id, { result: 'at last' })
    const { type, text } = await answer
    expect(type).toBe('application/json')
    expect(text.startsWith('\n\n{')).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ result: { content: [{ text: 'at last' }] } })
  })

  it('are plain JSON when they end just before that', async () => {
    const clock = fakeClock()
    const { page, ask } = await setUp({ clock, limits: { pingMs: 10_000_000 } })
    page.answersCalls = false
    const answer = ask('tools/call', { name: 'wait' }, BOTH)
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(KEEP - 1)
    page.answer(id, { result: 'soon' })
    expect((await answer).type).toBe('application/json')
  })

  it('keep 2026 clients waiting the same way', async () => {
    const clock = fakeClock()
    const { page, mcpUrl, token } = await setUp({ clock, limits: { pingMs: 10_000_000 } })
    page.answersCalls = false
    const answer = post({ url: mcpUrl, token }, rpc('tools/call', { name: 'wait', arguments: {}, _meta: ENVELOPE }), {
      headers: { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' },
    })
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(KEEP)
    page.answer(id, { result: 'at last' })
    const { type, json, text } = await answer
    expect(type).toBe('text/event-stream')
    expect(text.startsWith(': waiting\n\n')).toBe(true)
    expect(json).toMatchObject({ id: 1, result: { content: [{ text: 'at last' }] } })
  })

  it('are taken back by notifications/cancelled, with and without a session', async () => {
    const { page, ask, mcpUrl, token } = await setUp()
    for (const session of ['', (await ask('initialize', INITIALIZE)).headers.get('mcp-session-id') ?? '']) {
      const headers = { ...BOTH, ...(session !== '' && { 'mcp-session-id': session }) }
      const before = page.calls.length
      const call = post({ url: mcpUrl, token }, rpc('tools/call', { name: 'wait' }, 77), { headers })
      const id = (await page.called(before + 1)).at(-1)?.id
      const cancelled = await post(
        { url: mcpUrl, token },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } },
        { headers },
      )
      expect(cancelled.status).toBe(202)
      expect((await call).json).toBeNull()
      expect(await page.next((message) => message.type === 'cancelCall' && message.id === id)).toBeDefined()
    }
  })

  it('are taken back when the client hangs up', async () => {
    const { page, mcpUrl, token, relay } = await setUp()
    const hangUp = new AbortController()
    const call = post({ url: mcpUrl, token }, rpc('tools/call', { name: 'wait' }), { signal: hangUp.signal })
    await page.called(1)
    hangUp.abort()
    await expect(call).rejects.toThrow()
    await page.next(({ type }) => type === 'cancelCall')
    await until(() => relay.counts().openCalls === 0 && relay.counts().mcp === 0)
  })

  it('end with words when the session ends', async () => {
    const { page, ask, channel, relay } = await setUp()
    const call = ask('tools/call', { name: 'wait' }, BOTH)
    await page.called(1)
    channel.close('the visitor closed it')
    expect((await call).json).toMatchObject({
      result: { isError: true, content: [{ text: 'The session has ended: the visitor closed it' }] },
    })
    await settle()
    expect(relay.counts()).toEqual({ channels: 0, registerSockets: 0, openCalls: 0, mcp: 0 })
  })
})
