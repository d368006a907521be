/** The visitor's own log, told by a whole engine: every kind of thing that happens, names only, never content. */
import type { AuditEntry } from '@leuria/agent'
import { scriptedAgent } from '@leuria/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { EVIL, freshNonce, oneAgent, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { connectSite } from './site.fixture.js'
import { askUpgrade } from './upgrade.fixture.js'

const SECRET = 'the-visitors-words'

let entries: AuditEntry[]
beforeEach(() => {
  entries = []
})

function open(options: Parameters<typeof openTestEngine>[0] = {}): Promise<TestEngine> {
  return openTestEngine({ audit: { record: (entry) => entries.push(entry) }, ...options })
}

const kinds = (): string[] => entries.map(({ kind }) => kind)
const ofKind = (kind: AuditEntry['kind']): AuditEntry[] => entries.filter((entry) => entry.kind === kind)

it('has questions and answers', async () => {
  await using test = await open()
  await test.connect()
  const again = test.call('/connect/claim', { origin: SHOP, body: { nonce: freshNonce(), app: 'Shop' } })
  await expect.poll(() => test.events.filter(({ event }) => event === 'pairing').length).toBe(2)
  const asked = test.events.findLast((event) => event.event === 'pairing')
  const url = new URL(asked?.approveUrl ?? '')
  const body = { allow: false, key: url.searchParams.get('key') }
  await test.call(`${url.pathname}/decide`, { origin: test.engine.url, body })
  await again
  expect(entries).toEqual([
    { kind: 'pairing_asked', origin: SHOP, app: 'Shop' },
    { kind: 'pairing_answered', origin: SHOP, allowed: true },
    { kind: 'pairing_asked', origin: SHOP, app: 'Shop' },
    { kind: 'pairing_answered', origin: SHOP, allowed: false },
  ])
})

it('has a question once, however often the site repeats it', async () => {
  await using test = await open()
  for (let time = 0; time < 3; time += 1)
    void test.call('/connect/claim', { origin: SHOP, body: { nonce: freshNonce() } }).catch(() => undefined)
  await expect.poll(() => test.events.length).toBe(3)
  expect(entries).toEqual([{ kind: 'pairing_asked', origin: SHOP }])
})

it('has sessions and tool calls by name and outcome, and nothing of what was said', async () => {
  await using test = await open()
  const site = await connectSite(test)
  const session = await site.prepare({ prompt: `How many of the product "${SECRET}" are in stock?` })
  const schema = { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] }
  await session.page({
    tools: { count_stock: { inputSchema: schema, run: () => ({ product: SECRET, stock: 17 }) } },
  })
  await session.act('approve')
  await session.until('turn_completed')
  await session.act('close')
  await session.until('completed')
  const of = { origin: SHOP, sessionId: session.id }
  expect(entries.slice(2)).toEqual([
    { kind: 'session_started', ...of },
    { kind: 'tool_called', ...of, tool: 'count_stock', outcome: 'ok' },
    { kind: 'session_ended', ...of, status: 'completed' },
  ])
  expect(JSON.stringify(entries)).not.toContain(SECRET)
})

it('has permissions that an AI was refused', async () => {
  const agent = scriptedAgent({
    turns: [
      [
        { type: 'permission', toolName: 'Bash', allow: false },
        { type: 'turn_end', stopReason: 'end_turn' },
      ],
    ],
  })
  await using test = await open({ agents: oneAgent(agent) })
  const session = await (await connectSite(test)).prepare({ prompt: 'go' })
  await session.act('approve')
  await session.until('turn_completed')
  expect(ofKind('permission_refused')).toEqual([
    { kind: 'permission_refused', origin: SHOP, sessionId: session.id, tool: 'Bash' },
  ])
})

it('has a revocation once, and the sessions that it ended', async () => {
  await using test = await open()
  const site = await connectSite(test)
  const session = await site.prepare()
  await session.act('approve')
  await session.until('ready')
  await test.engine.grants.revoke(SHOP)
  await session.until('cancelled')
  expect(kinds().slice(3).sort()).toEqual(['grant_revoked', 'session_ended'])
})

describe('refused requests', () => {
  it('of a connected site are there: wrong token, wrong Host, a closed door, another site’s channel', async () => {
    await using test = await open()
    const token = await test.connect()
    const other = await (await connectSite(test, EVIL)).prepare()
    const page = await other.page({ tools: {} })
    const path = page.channel.split('?')[0] ?? ''
    entries = []
    await test.call('/session/prepare', { origin: SHOP, token: 'wrong', body: {} })
    await test.call('/webmcp/mcp', { origin: SHOP, token, body: {} })
    await test.call('/health', { origin: SHOP, token, headers: [['Host', 'evil.example']] })
    const { port } = test.engine
    expect(await askUpgrade(port, page.channel, { origin: SHOP })).toMatchObject({ status: 403 })
    const rebound = { origin: SHOP, host: 'evil.example' }
    expect(await askUpgrade(port, '/webmcp/register?token=x', rebound)).toMatchObject({ status: 403 })
    const refused = { kind: 'request_refused', origin: SHOP }
    expect(entries).toEqual([
      { ...refused, method: 'POST', path: '/session/prepare', status: 401 },
      { ...refused, method: 'POST', path: '/webmcp/mcp', status: 403 },
      { ...refused, method: 'GET', path: '/health', status: 403 },
      { ...refused, method: 'GET', path, status: 403 },
      { ...refused, method: 'GET', path: '/webmcp/register', status: 403 },
    ])
    expect(JSON.stringify(entries)).not.toContain('token=')
  })

  it('of strangers are not: they would only fill the log', async () => {
    await using test = await open()
    await test.call('/session/prepare', { origin: EVIL, body: {} })
    await test.call('/health', { origin: EVIL, headers: [['Host', 'evil.example']] })
    await test.call('/health', { origin: 'null' })
    expect(await askUpgrade(test.engine.port, '/webmcp/register', { origin: EVIL })).toMatchObject({ status: 403 })
    expect(entries).toEqual([])
  })

  it('do not include what a connected site merely asks wrongly', async () => {
    await using test = await open()
    const token = await test.connect()
    entries = []
    await test.call('/session/none', { origin: SHOP, token })
    await test.call('/session/prepare', { origin: SHOP, token, raw: '{' })
    expect(entries).toEqual([])
  })
})
