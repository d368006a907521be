// Every sentence of the protocol page's Conformance section, word by word, with a test that holds the client to it.
import { FakeBrowser, pageScene, type PageSceneParts } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { BridgeClient, type BridgeEvent, type PageTool } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

const ORIGIN = 'https://shop.example'
const create = (parts: PageSceneParts) => new BridgeClient(parts)
const greet: PageTool = { name: 'greet', execute: () => 'hello' }

describe('a client must', () => {
  it("Talk to 127.0.0.1 (or localhost) on the engine's port, from a page with an http: or https: origin.", async () => {
    for (const url of ['http://127.0.0.1:19570', 'http://localhost:4000']) new BridgeClient({ url }).destroy()
    expect(() => new BridgeClient({ url: 'http://10.0.0.1:19570' })).toThrow()
    const file = new BridgeClient({ page: new FakeBrowser('null').openTab() })
    await expect(file.connect()).rejects.toMatchObject({ code: 'bad_origin' })
  })

  it('Keep the grant token per origin and per engine URL, and send it as Authorization: Bearer on every request after pairing.', async () => {
    await using page = await pageScene(create, { connected: false })
    const connected = page.client.connect()
    await page.engine.pairing.answer(true)
    await connected
    const token = page.engine.pairing.grants.get(ORIGIN)
    expect(Object.fromEntries(page.browser.stored)).toEqual({ [`leuria:token:${page.engine.url}`]: token })
    await page.client.detect()
    const session = await page.client.startSession({ tools: [greet] })
    await session.prompt('say hi')
    await page.until(() => expect(session.text).toBe('hi'))
    await session.close()
    const [claim, ...others] = page.engine.log.requests()
    expect([claim?.path, claim?.token]).toEqual(['/connect/claim', undefined])
    expect(others.map((request) => request.token)).toEqual(others.map(() => token))
    expect(others.length).toBeGreaterThanOrEqual(6)
  })

  it('Forget the token when a response is 401 with code: "not_paired", or when /health says paired: false. Then offer to connect again.', async () => {
    for (const notice of ['session', 'health']) {
      await using page = await pageScene(create)
      page.engine.pairing.grants.clear()
      if (notice === 'health') await page.client.detect()
      else await expect(page.client.startSession()).rejects.toMatchObject({ status: 401, code: 'not_paired' })
      expect([page.browser.stored.size, page.client.getState()]).toEqual([0, { status: 'not-connected' }])
      const connected = page.client.connect()
      await page.engine.pairing.answer(true)
      await connected
    }
  })

  it("Start pairing only from a visitor's action. Open the leuria://connect link inside the click handler, before any await, with a fresh nonce for each attempt.", async () => {
    await using page = await pageScene(create, { connected: false })
    await page.client.detect()
    expect(page.tab.links).toEqual([])
    void page.client.connect()
    void page.client.connect()
    const nonces = page.tab.links.map((link) => new URL(link).searchParams.get('nonce'))
    expect([nonces.length, new Set(nonces).size]).toEqual([2, 2])
  })

  it('Claim with POST /connect/claim again after each pending, and after each unreadable answer for a few seconds (the app may be starting), until allowed, denied or its own time limit.', async () => {
    await using page = await pageScene(create, { connected: false, claimWaitMs: 1_000 })
    page.engine.faults.answers.push({ request: /claim$/, status: 0 }, { request: /claim$/, status: 403 })
    const claims = () => page.engine.log.requests('POST /connect/claim').length
    const connected = page.client.connect()
    await page.until(() => {
      page.clock.advance(100)
      expect(claims()).toBeGreaterThan(4)
    })
    await page.engine.pairing.answer(true)
    await connected
    const count = claims()
    await page.clock.advanceAsync(60_000)
    expect(claims()).toBe(count)
  })

  it("Send no request to the engine while the site has no token: it would only make the browser ask about local network access, and Leuria wouldn't answer anyway.", async () => {
    await using page = await pageScene(create, { connected: false })
    page.client.subscribe(() => undefined)
    for (const signal of ['visible', 'online', 'show', 'storage', 'hide'] as const) page.tab.signal(signal)
    await page.clock.advanceAsync(60_000)
    expect(await page.client.detect()).toEqual({ status: 'unpaired' })
    await expect(page.client.startSession()).rejects.toMatchObject({ code: 'not_paired' })
    await expect(page.client.embed(['fox'])).rejects.toMatchObject({ code: 'not_paired' })
    page.client.forget()
    expect([page.network.uses, page.engine.log.entries]).toEqual([[], []])
  })

  it('Open the event stream before approve, so no event is missed.', async () => {
    await using page = await pageScene(create)
    await page.client.startSession({ prompt: 'say hi' })
    const [, stream, approve] = page.engine.log.requests().map(({ path }) => path.split('/').at(-1))
    expect([stream, approve]).toEqual(['stream', 'approve'])
  })

  it('Register its tools before the AI can need them: before approve, or at least before the first prompt.', async () => {
    await using page = await pageScene(create)
    await page.client.startSession({ prompt: 'call greet', tools: [greet] })
    const entries = page.engine.log.entries
    const registered = entries.findIndex((entry) => entry.kind === 'message' && entry.message.type === 'registerTool')
    const approved = entries.findIndex((entry) => entry.kind === 'request' && entry.path.endsWith('/approve'))
    expect([registered > 0, approved > registered]).toEqual([true, true])
  })

  it('Answer every callTool with a toolResponse carrying the same id, including for unknown tools (with an error).', async () => {
    await using page = await pageScene(create)
    await page.client.startSession({ tools: [greet] })
    const { channel } = page.engine.session
    for (const [id, tool] of [
      ['a', 'greet'],
      ['b', 'nobody'],
    ])
      channel.send({ type: 'callTool', id, tool, arguments: {} })
    await page.until(() => expect([...channel.answers.keys()].sort()).toEqual(['a', 'b']))
    expect(channel.answers.get('b')).toEqual([{ type: 'toolResponse', id: 'b', error: expect.any(String) as string }])
  })

  it("Answer the engine's ping with pong.", async () => {
    await using page = await pageScene(create)
    await page.client.startSession({ tools: [greet] })
    page.engine.session.channel.send({ type: 'ping' })
    await page.until(() =>
      expect(page.engine.log.messages('pong').map(({ message }) => message)).toEqual([{ type: 'pong' }]),
    )
  })

  it('Treat completed, cancelled and failed as the end of the session.', async () => {
    for (const outcome of ['completed', 'cancelled', 'failed'] as const) {
      await using page = await pageScene(create)
      const session = await page.client.startSession({ tools: [greet] })
      page.engine.session.finish(outcome, outcome === 'failed' ? 'It broke.' : undefined)
      await page.until(() => expect([session.status, session.outcome]).toEqual(['ended', outcome]))
      await page.clock.advanceAsync(60_000)
      expect(page.engine.log.requests(/stream$/)).toHaveLength(1)
      expect(page.engine.log.sockets(/channel/)).toHaveLength(1)
      await expect(session.prompt('more')).rejects.toThrow()
    }
  })
})

describe('a client should', () => {
  it('Once connected, check /health with a short timeout (@leuria/client uses 1.5 s), and treat no answer as "not running".', async () => {
    await using page = await pageScene(create)
    page.engine.faults.holds.push({ request: /health$/, until: new Promise(() => undefined) })
    const detecting = page.client.detect()
    await page.until(() => expect(page.engine.log.requests(/health$/)).toHaveLength(1))
    page.clock.advance(1_500)
    expect(await detecting).toEqual({ status: 'offline' })
    expect(page.client.getState().status).toBe('not-running')
  })

  it("Tell the visitor that Leuria isn't running (or isn't installed) when a claim gets no readable answer for about 10 s, and offer to try again.", async () => {
    await using page = await pageScene(create, { connected: false })
    page.network.down = true
    void page.client.connect()
    await page.clock.advanceAsync(9_749)
    expect(page.client.getState().status).toBe('connecting')
    await page.clock.advanceAsync(1_001)
    expect(page.client.getState()).toMatchObject({
      status: 'not-running',
      error: { message: "Leuria isn't running on this computer, or isn't installed." },
    })
    void page.client.connect()
    expect(page.client.getState().status).toBe('connecting')
  })

  it('Reopen a dropped event stream with backoff, and skip the replayed chunks it already has.', async () => {
    await using page = await pageScene(create)
    const chunks: string[] = []
    const onEvent = (event: BridgeEvent) => event.event === 'chunk' && chunks.push(event.data)
    const session = await page.client.startSession({ prompt: 'say ha ha\nhold\nsay ha', onEvent })
    await page.until(() => expect(chunks).toEqual(['ha ', 'ha']))
    page.network.cut()
    await page.until(() => {
      page.clock.advance(100)
      expect(page.engine.log.requests(/stream$/)).toHaveLength(2)
    })
    await page.until(() => expect(page.engine.session.streams.size).toBe(1))
    page.engine.puppet.release()
    await page.until(() => expect(session.status).toBe('idle'))
    expect(chunks).toEqual(['ha ', 'ha', 'ha'])
  })

  it('Reopen a dropped tool channel with the same channel token, and declare its tools again.', async () => {
    await using page = await pageScene(create)
    await page.client.startSession({ tools: [greet] })
    const { channel } = page.engine.session
    channel.tools.clear()
    channel.drop()
    await page.until(() => {
      page.clock.advance(100)
      expect([...channel.tools.keys()]).toEqual(['greet'])
    })
    expect(page.engine.log.sockets(/register/)).toHaveLength(1)
  })

  it('Close sessions it no longer needs (/close, with keepalive during page unload). An origin has only 4.', async () => {
    await using page = await pageScene(create)
    for (let each = 0; each < 4; each += 1) await page.client.startSession()
    await expect(page.client.startSession()).rejects.toMatchObject({ status: 400 })
    page.tab.signal('hide')
    const closing = page.network.uses.filter(({ url }) => url.endsWith('/close'))
    expect(closing.map(({ init }) => init?.keepalive)).toEqual([true, true, true, true])
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it('Show visitors plain words, never error strings, event names or engine versions.', async () => {
    await using page = await pageScene(create)
    const raw = 'ECONNREFUSED sqlite: turn_completed 0.1.0'
    const messages: string[] = []
    const note = (error: unknown) => messages.push(error instanceof Error ? error.message : '')
    for (const status of [400, 401, 403, 404, 413, 429, 500, 502, 503]) {
      page.engine.faults.answers.push({ request: /embed$/, status, body: { error: raw, code: 'x' } })
      await page.client.embed(['fox']).catch(note)
    }
    const session = await page.client.startSession({ prompt: `fail ${raw}` })
    await page.until(() => expect(session.status).toBe('ended'))
    note(session.error)
    expect(messages).toHaveLength(10)
    for (const message of messages) {
      expect(message).toMatch(/^[A-Z].*\.$/)
      expect(message).not.toMatch(/ECONN|sqlite|_|\d/)
    }
    expect(session.error?.detail).toBe(raw)
  })
})
