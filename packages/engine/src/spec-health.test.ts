/** The protocol page's Health, sentence by sentence. What `embed` names when there is a model: Embeddings. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVIL, freshNonce, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { ENGINE_VERSION } from './index.js'

const ADMIN = 'admin-token-of-at-least-32-characters'
const PROVIDERS = [
  { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' },
  { id: 'claude', kind: 'openai', name: 'Claude', baseUrl: 'http://127.0.0.1:9/v1' },
]

let home = ''
let page: TestEngine
let token: string
let app: TestEngine

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-health-'))
  await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers: PROVIDERS }))
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, agent: 'llm:mine/small' }))
  page = await openTestEngine({ home })
  token = await page.connect()
  app = await openTestEngine({ mode: 'app', adminToken: ADMIN })
})
afterAll(async () => {
  await page[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
})

describe('GET /health', () => {
  it('"A connected page sends its token; local callers need none"', async () => {
    expect(await page.call('/health', { origin: SHOP, token })).toMatchObject({ status: 200, json: { paired: true } })
    expect((await page.call('/health')).json).toEqual({
      leuria: ENGINE_VERSION,
      ok: true,
      agent: 'Mine · small',
      approvals: 'page',
    })
  })

  it('"With the desktop app, a page it doesn\'t know gets no answer"', async () => {
    expect(await app.call('/health', { origin: SHOP })).toMatchObject({ status: 403, text: '' })
    expect(await app.call('/health', { origin: SHOP, token: 'any' })).toMatchObject({ status: 403, text: '' })
  })

  it('"leuria: Engine version. Its presence means \'this is Leuria\'" and "ok: Always true when the engine answers"', async () => {
    for (const call of [{}, { origin: SHOP }, { origin: SHOP, token }, { origin: page.engine.url }])
      expect((await page.call('/health', call)).json).toMatchObject({ leuria: ENGINE_VERSION, ok: true })
  })

  it('"agent: … A connected page gets its own AI and model; everyone else gets the visitor\'s default AI"', async () => {
    const agent = async (call: object) => (await page.call('/health', call)).json
    await page.engine.grants.choose(SHOP, { agent: 'llm:claude/vendor/sonnet-5' })
    expect(await agent({ origin: SHOP, token })).toMatchObject({ agent: 'Claude · sonnet-5' })
    await page.engine.grants.choose(SHOP, { agent: 'llm:claude', model: 'opus' })
    expect(await agent({ origin: SHOP, token })).toMatchObject({ agent: 'Claude · opus' })
    for (const call of [{}, { origin: SHOP }, { origin: SHOP, token: 'wrong' }, { origin: EVIL, token }])
      expect(await agent(call)).toMatchObject({ agent: 'Mine · small' })
    await page.engine.grants.choose(SHOP, { agent: null })
    expect(await agent({ origin: SHOP, token })).toMatchObject({ agent: 'Mine · small' })
  })

  it('"approvals: Where the visitor answers pairing requests: app … or page …"', async () => {
    expect((await page.call('/health')).json).toMatchObject({ approvals: 'page' })
    expect((await app.call('/health')).json).toMatchObject({ approvals: 'app' })
    await app.call('/admin/pairing/link', { token: ADMIN, body: { origin: SHOP, nonce: freshNonce() } })
    expect((await app.call('/health', { origin: SHOP })).json).toMatchObject({ approvals: 'app', paired: false })
  })

  it('"paired: Web pages only: true when the bearer token sent with this request is valid"', async () => {
    for (const [call, paired] of [
      [{ origin: SHOP, token }, true],
      [{ origin: SHOP, token: `${token}x` }, false],
      [{ origin: SHOP }, false],
      [{ origin: EVIL, token }, false],
    ] as const)
      expect((await page.call('/health', call)).json).toMatchObject({ paired })
    for (const call of [{}, { token }, { origin: page.engine.url }])
      expect((await page.call('/health', call)).json).not.toHaveProperty('paired')
  })

  it('"embed: … Absent for pages that aren\'t connected, and when there is no model"', async () => {
    for (const call of [{}, { origin: SHOP }, { origin: EVIL, token }])
      expect((await page.call('/health', call)).json).not.toHaveProperty('embed')
  })
})
