/** A page talks to an AI, through a whole engine: HTTP, the event stream and the tool channel. */
import { scriptedAgent } from '@leuria/testing'
import { expect, it } from 'vitest'
import { EVIL, oneAgent, openTestEngine, SHOP } from './engine.fixture.js'
import { connectSite } from './site.fixture.js'

const STOCK = {
  description: 'Says how many of a product are in stock',
  inputSchema: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
}

it("answers from the page's own tool with the demo AI", async () => {
  await using test = await openTestEngine()
  const site = await connectSite(test)
  const session = await site.prepare({ prompt: 'How many of the product "lamp" are in stock?' })
  const page = await session.page({ tools: { count_stock: { ...STOCK, run: () => ({ product: 'lamp', stock: 17 }) } } })
  expect(await session.act('approve')).toMatchObject({
    status: 200,
    json: { sessionId: session.id, status: 'running' },
  })
  const { data } = await session.until('turn_completed')

  expect(page.calls).toMatchObject([{ tool: 'count_stock', arguments: { product: 'lamp' } }])
  expect(data).toMatchObject({ text: expect.stringContaining('17') as unknown, stopReason: 'end_turn' })
  const chunks = session.events.filter(({ event }) => event === 'chunk').map((event) => event.data)
  expect(chunks.join('')).toBe((data as { text: string }).text)
  expect(session.events.filter(({ event }) => event === 'tool_call').map((event) => event.data)).toMatchObject([
    { status: 'in_progress', toolName: 'mcp__webmcp__count_stock' },
    { status: 'completed', toolName: 'mcp__webmcp__count_stock' },
  ])
  expect(session.events[0]?.event).toBe('webmcp_ready')
  expect(await session.info()).toMatchObject({ id: session.id, status: 'idle', origin: SHOP })

  await session.act('close')
  await session.until('completed')
  expect(await page.closed()).toMatchObject({ code: 1000 })
})

it('keeps a session from every other origin', async () => {
  await using test = await openTestEngine()
  const [shop, evil] = [await connectSite(test), await connectSite(test, EVIL)]
  const session = await shop.prepare()
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/stream'],
    ['POST', '/approve'],
    ['POST', '/cancel'],
  ] as const) {
    const answer = await test.call(`/session/${session.id}${path}`, { method, origin: EVIL, token: evil.token })
    expect(answer).toMatchObject({ status: 404, json: { error: 'Session not found' } })
  }
  expect((await test.call(`/session/${session.id}`)).status).toBe(404)
})

it('warms up without a prompt, takes follow-ups, and cancels a turn', async () => {
  await using test = await openTestEngine({
    agents: oneAgent(
      scriptedAgent({
        turns: [
          [{ type: 'text', text: 'half' }, { type: 'hang' }],
          [
            { type: 'text', text: 'whole' },
            { type: 'turn_end', stopReason: 'end_turn' },
          ],
        ],
      }),
    ),
  })
  const session = await (await connectSite(test)).prepare()
  await session.act('approve')
  await session.until('ready')
  expect(await session.act('approve')).toMatchObject({ status: 400 })
  expect(await session.act('prompt', { prompt: ' ' })).toMatchObject({ status: 400 })
  await session.act('prompt', { prompt: 'go' })
  expect(await session.act('prompt', { prompt: 'again' })).toMatchObject({ status: 400 })
  await session.until('chunk')
  await session.act('cancel-turn')
  expect((await session.until('turn_completed')).data).toMatchObject({ text: 'half', stopReason: 'cancelled' })
  await session.act('prompt', { prompt: 'again' })
  await expect.poll(() => session.events.filter(({ event }) => event === 'turn_completed').length).toBe(2)
  expect(session.events.at(-1)?.data).toMatchObject({ text: 'whole' })
})

it('holds 4 live sessions an origin, and no more', async () => {
  await using test = await openTestEngine()
  const site = await connectSite(test)
  for (let count = 0; count < 4; count += 1) await site.prepare()
  const fifth = await test.call('/session/prepare', { origin: SHOP, token: site.token, body: {} })
  expect(fifth.status).toBe(400)
})

it('says in the stream and in the session why an AI could not start', async () => {
  const agents = {
    nameFor: () => 'Gone',
    idFor: () => 'gone',
    find: () => null,
    resolve: () => Promise.reject(new Error('/secret/path')),
  }
  await using test = await openTestEngine({ agents })
  const session = await (await connectSite(test)).prepare({ prompt: 'hi' })
  await session.act('approve')
  const { data } = await session.until('failed')
  expect(data).not.toContain('/secret/path')
  expect(await session.info()).toMatchObject({ status: 'failed', error: data })
})

it('leaves nothing behind when it closes in the middle of everything', async () => {
  const test = await openTestEngine()
  const site = await connectSite(test)
  const session = await site.prepare({ prompt: 'wait' })
  const page = await session.page({ tools: { wait: { run: () => new Promise(() => undefined) } } })
  await session.act('approve')
  await page.called(1)
  await test[Symbol.asyncDispose]()
  expect(test.engine.relay.counts()).toEqual({ channels: 0, registerSockets: 0, openCalls: 0, mcp: 0 })
  expect(test.engine.sessions.live()).toMatchObject({ streams: 0, sessions: 0 })
  expect(test.warnings).toEqual([])
})
