/** The protocol page's Security considerations, sentence by sentence, on whole engines. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedAgent, scriptedModelServer } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { EVIL, freshNonce, oneAgent, openTestEngine, SHOP } from './engine.fixture.js'
import { connectSite } from './site.fixture.js'
import { askUpgrade } from './upgrade.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'

describe('sites', () => {
  it('"The engine trusts no website until the visitor allows it, and then only for that origin"', async () => {
    await using test = await openTestEngine()
    const prepare = (origin: string, token?: string) => test.call('/session/prepare', { origin, token, body: {} })
    expect((await prepare(SHOP)).status).toBe(401)
    const token = await test.connect()
    expect((await prepare(SHOP, token)).status).toBe(201)
    for (const origin of [EVIL, 'http://shop.example', 'https://shop.example:444', 'https://a.shop.example'])
      expect((await prepare(origin, token)).status).toBe(401)
  })

  it('"The token is useless from any other origin, because the engine checks Origin on every request"', async () => {
    await using test = await openTestEngine()
    const [shop, evil] = [await connectSite(test), await connectSite(test, EVIL)]
    const session = await shop.prepare()
    for (const [method, path] of [
      ['GET', `/session/${session.id}`],
      ['GET', `/session/${session.id}/stream`],
      ['POST', `/session/${session.id}/approve`],
      ['POST', '/session/prepare'],
      ['POST', '/embed'],
    ] as const) {
      const stolen = await test.call(path, { method, origin: EVIL, token: shop.token })
      expect(stolen).toMatchObject({ status: 401, json: { code: 'not_paired' } })
    }
    expect((await test.call('/health', { origin: EVIL, token: evil.token })).json).toMatchObject({ paired: true })
    // A token that is no site's own opens nothing for a program either.
    expect((await test.call('/webmcp/mcp', { token: shop.token, body: {} })).status).toBe(401)
  })

  // FC-04 c to f
  it("opens a session's door once, and its channel with the channel's token only", async () => {
    await using test = await openTestEngine()
    const session = await (await connectSite(test)).prepare()
    const page = await session.page({ tools: {} })
    const inner = JSON.parse(Buffer.from(session.registrationToken, 'base64').toString()) as { token: string }
    for (const used of [session.registrationToken, inner.token])
      expect(await page.register(used)).toMatchObject({ type: 'error' })
    const channelToken = page.channel.split('token=')[1] ?? ''
    expect(channelToken).not.toBe(inner.token)
    const { port } = test.engine
    for (const wrong of ['wrong', inner.token, encodeURIComponent(session.registrationToken)])
      expect((await askUpgrade(port, page.channel.replace(channelToken, wrong), { origin: SHOP })).status).toBe(401)
    page.close()
    await page.openChannel()
    await page.openChannel()
    expect(page.open).toBe(true)
  })

  // FC-04 g
  it("keeps a session's channel from every other site and program, even with its token", async () => {
    await using test = await openTestEngine()
    const shop = await connectSite(test)
    await test.connect(EVIL)
    const page = await (await shop.prepare()).page({ tools: {} })
    const { port } = test.engine
    expect((await askUpgrade(port, page.channel, { origin: EVIL })).status).toBe(403)
    expect((await askUpgrade(port, page.channel)).status).toBe(403)
    expect((await askUpgrade(port, page.channel.replace(/=.*/, '=wrong'), { origin: SHOP })).status).toBe(401)
    expect((await askUpgrade(port, page.channel, { origin: SHOP })).status).toBe(101)
  })

  it('"a site the visitor never connected can\'t tell that Leuria is installed": the same silence whatever it asks', async () => {
    await using test = await openTestEngine({ mode: 'app', adminToken: ADMIN })
    await test.engine.grants.issue({ origin: SHOP })
    const seen = new Set<string>()
    for (const path of ['/health', '/connect/claim', '/session/prepare', '/webmcp/mcp', '/admin/status', '/nope', '//'])
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const answer = await test.call(path, { method, origin: EVIL, token: 'any', body: { nonce: freshNonce() } })
        const { date: _date, ...headers } = answer.headers
        seen.add(JSON.stringify([answer.status, answer.text, headers]))
      }
    expect([...seen]).toEqual([expect.stringMatching(/^\[403,"",/)])
  })
})

describe('grants', () => {
  it('"A site can ask for a grant, but only the visitor\'s click … creates one"', async () => {
    await using test = await openTestEngine()
    const nonce = freshNonce()
    const claimed = test.call('/connect/claim', { origin: SHOP, body: { nonce, allow: true } })
    await expect.poll(() => test.events.length).toBe(1)
    const asked = test.events[0]
    const url = new URL(asked?.event === 'pairing' ? asked.approveUrl : '')
    const key = url.searchParams.get('key')
    // Everything but the click: the site itself, another one, a program, the engine's page without the key.
    for (const call of [
      { origin: SHOP, body: { allow: true, key } },
      { origin: EVIL, body: { allow: true, key } },
      { body: { allow: true, key } },
      { origin: test.engine.url, body: { allow: true } },
      { origin: test.engine.url, body: { allow: true, key: [key] } },
    ])
      expect((await test.call(`${url.pathname}/decide`, call)).status).toBe(403)
    expect(test.engine.grants.list()).toEqual([])
    await test.call(`${url.pathname}/decide`, { origin: test.engine.url, body: { allow: true, key } })
    expect((await claimed).status).toBe(200)
    expect(test.engine.grants.has(SHOP)).toBe(true)
  })

  it('"A forged link gets the forger nothing: the token goes only to the named origin, with the link\'s nonce"', async () => {
    await using test = await openTestEngine({ mode: 'app', adminToken: ADMIN })
    const forged = freshNonce()
    const linked = await test.call('/admin/pairing/link', { token: ADMIN, body: { origin: SHOP, nonce: forged } })
    const { requestId } = linked.json as { requestId: string }
    const own = freshNonce()
    const [forger, named] = [
      test.call('/connect/claim', { origin: EVIL, body: { nonce: forged } }),
      test.call('/connect/claim', { origin: SHOP, body: { nonce: own } }),
    ]
    expect(await forger).toMatchObject({ status: 403, text: '' })
    expect((await named).status).toBe(404)
    await test.call(`/admin/pairing/${requestId}`, { token: ADMIN, body: { allow: true } })
    expect((await test.call('/connect/claim', { origin: EVIL, body: { nonce: forged } })).status).toBe(403)
    expect((await test.call('/connect/claim', { origin: SHOP, body: { nonce: own } })).status).toBe(404)
  })
})

describe('the AI', () => {
  it('"… with its built-in tools off": a model is offered the page\'s tools, and nothing else', async () => {
    const server = await scriptedModelServer({ answers: [[{ say: 'Hello' }]] })
    const home = await mkdtemp(join(tmpdir(), 'leuria-security-'))
    const provider = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: server.url }
    await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers: [provider] }))
    await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, agent: 'llm:mine/test-model' }))
    try {
      await using test = await openTestEngine({ home })
      const session = await (await connectSite(test)).prepare({ prompt: 'hi' })
      await session.page({ tools: { search: { run: () => [] }, get_cart: { run: () => [] } } })
      await session.act('approve')
      await session.until('turn_completed')
      const names = (server.exchanges[0]?.body.tools as { function: { name: string } }[]).map(
        (one) => one.function.name,
      )
      expect(names.sort()).toEqual(['get_cart', 'search'])
    } finally {
      await server.close()
      await rm(home, { recursive: true, force: true })
    }
  })

  it('"The engine refuses any permission request for a tool other than the page\'s": the page and the log are told', async () => {
    const agent = scriptedAgent({
      turns: [
        [
          { type: 'permission', toolName: 'Bash', allow: false },
          { type: 'turn_end', stopReason: 'end_turn' },
        ],
      ],
    })
    const entries: string[] = []
    const audit = { record: ({ kind }: { kind: string }) => void entries.push(kind) }
    await using test = await openTestEngine({ agents: oneAgent(agent), audit })
    const session = await (await connectSite(test)).prepare({ prompt: 'go' })
    await session.act('approve')
    expect((await session.until('permission')).data).toEqual({ toolName: 'Bash', allow: false })
    expect(entries).toContain('permission_refused')
  })

  // How arguments are judged, keyword by keyword: @leuria/page-tools.
  it('"Tool arguments come from the AI": what doesn\'t fit the tool\'s schema never reaches the page', async () => {
    const call = { name: 'order', arguments: { count: 'many' } }
    const server = await scriptedModelServer({ answers: [[{ call }], [{ say: 'Sorry' }]] })
    const home = await mkdtemp(join(tmpdir(), 'leuria-security-'))
    const provider = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: server.url }
    await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers: [provider] }))
    try {
      await using test = await openTestEngine({ home, defaultAgent: 'llm:mine/test-model' })
      const session = await (await connectSite(test)).prepare({ prompt: 'hi' })
      const inputSchema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }
      const page = await session.page({ tools: { order: { inputSchema, run: () => 'ordered' } } })
      await session.act('approve')
      await session.until('turn_completed')
      expect(page.calls).toEqual([])
    } finally {
      await server.close()
      await rm(home, { recursive: true, force: true })
    }
  })
})
