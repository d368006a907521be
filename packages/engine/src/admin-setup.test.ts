/** Getting, signing in to, testing and removing AIs through the admin API, with a list, an npm and an agent of our own. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { adminAddAiReply, adminAgentList, type AdminEvent, adminSignIn, adminSiteAgentReply } from '@leuria/protocol'
import { type AgentList, npmEntry, openAgentList, uncheckedEntry } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EVIL, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import type { SelfTest } from './self-test.js'
import { connectSite } from './site.fixture.js'
import { openWindow, type TestWindow } from './window.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'

let list: AgentList
let person: string
let test: TestEngine
let feed: TestWindow
let selfTest: SelfTest
beforeEach(async () => {
  list = await openAgentList()
  list.serve(npmEntry('codex-acp'), npmEntry('other'), npmEntry('slow'), uncheckedEntry('loose'))
  person = await mkdtemp(join(tmpdir(), 'leuria-person-'))
  // The agent's sign-in is a file in the person's home.
  vi.stubEnv('HOME', person)
  vi.stubEnv('PATH', [list.bin, process.env.PATH].join(delimiter))
  selfTest = () => Promise.reject(new Error('not in this test'))
  test = await openTestEngine({
    mode: 'app',
    adminToken: ADMIN,
    registryUrl: list.url,
    selfTest: (options) => selfTest(options),
    // Where the machine has no sandbox, agents run only with the visitor's word for it.
    trustedAgents: ['codex-acp', 'other'],
  })
  feed = await openWindow(test, ADMIN)
})
afterEach(async () => {
  feed.close()
  await test[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  await list[Symbol.asyncDispose]()
  await rm(person, { recursive: true, force: true })
})

const admin = (path: string, body?: unknown, method?: string) =>
  test.call(`/admin${path}`, { token: ADMIN, ...(body === undefined ? {} : { body }), ...(method && { method }) })

const install = async (id: string): Promise<void> => {
  expect(await admin('/ais', { id })).toMatchObject({ status: 200 })
}

const progress = (): Extract<AdminEvent, { event: 'progress' }>[] =>
  feed.events.filter((event) => event.event === 'progress')

describe('GET /admin/agents', () => {
  it('lists what could be installed and what is', async () => {
    await install('other')
    const { agents, message } = adminAgentList.parse((await admin('/agents')).json)
    expect(message).toBeNull()
    expect(agents.filter(({ kind }) => kind === 'agent')).toEqual(
      expect.arrayContaining([
        {
          ...{ id: 'codex-acp', kind: 'agent', name: 'The codex-acp', version: '1.0.0', description: 'Does it' },
          ...{ installed: null, found: false, installable: true, current: false },
        },
        expect.objectContaining({ id: 'other', installed: '1.0.0' }),
      ]),
    )
  })

  it('says when the list cannot be fetched, and still has what is installed', async () => {
    await install('other')
    await test.restart()
    await list.goOffline()
    const { agents, message } = adminAgentList.parse((await admin('/agents')).json)
    expect(message).toMatch(/can't be fetched/)
    expect(agents).toContainEqual(expect.objectContaining({ id: 'other', installed: '1.0.0' }))
  })
})

describe('POST /admin/ais', () => {
  it('installs an agent with progress on the feed, and makes it the default only when asked to', async () => {
    expect(adminAddAiReply.parse((await admin('/ais', { id: 'other' })).json)).toEqual({
      ...{ id: 'other', name: 'The other', version: '1.0.0' },
    })
    await feed.until((event) => event.event === 'progress' && event.step === 'done')
    expect(progress()[0]).toMatchObject({ stage: 'install', id: 'other', message: expect.any(String) as unknown })
    expect((await admin('/status')).json).toMatchObject({ agent: { id: 'demo' } })
    // Again: nothing is installed twice.
    const before = progress().length
    expect(await admin('/ais', { id: 'other', makeDefault: true })).toMatchObject({ status: 200 })
    expect(progress()).toHaveLength(before)
    expect((await admin('/status')).json).toMatchObject({ agent: { id: 'other', installed: 'agent', ready: true } })
    await feed.until((event) => event.event === 'agent' && event.id === 'other')
  })

  it.each([
    [{}, 400],
    [{ id: '' }, 400],
    [{ id: 'No Id' }, 400],
    [{ id: 'nobody' }, 404],
    [{ id: 'llm:nobody' }, 404],
  ])('%j: %i', async (body, status) => {
    expect(await admin('/ais', body)).toMatchObject({ status, json: { error: expect.any(String) as unknown } })
    expect(await admin('/agent', body)).toMatchObject({ status })
  })

  it('says when a maker gives no checksum, so that the visitor can insist', async () => {
    expect(await admin('/ais', { id: 'loose' })).toMatchObject({ status: 422, json: { code: 'unverified' } })
    const insisted = await admin('/ais', { id: 'loose', insist: true })
    expect(insisted.status).toBe(422)
    expect(insisted.json).not.toHaveProperty('code')
  })
})

describe('DELETE /admin/ais', () => {
  it('removes what Leuria installed; sites that used it get the default, and their sessions end', async () => {
    await install('other')
    await test.engine.grants.issue({ origin: EVIL, agent: 'other' })
    const site = await connectSite(test)
    await test.engine.grants.choose(SHOP, { agent: 'other' })
    const session = await site.prepare()
    expect((await admin('/ais?id=other', undefined, 'DELETE')).json).toEqual({ removed: true })
    await session.until('cancelled')
    expect(test.engine.grants.get(SHOP)).not.toHaveProperty('agent')
    expect(test.engine.grants.get(EVIL)).not.toHaveProperty('agent')
    expect(await readdir(join(test.home, 'agents'))).toEqual([])
    expect((await admin('/ais?id=other', undefined, 'DELETE')).json).toEqual({ removed: false })
  })

  it('removes a saved service', async () => {
    const provider = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' }
    await writeFile(join(test.home, 'providers.json'), JSON.stringify({ version: 1, providers: [provider] }))
    await expect.poll(async () => (await admin('/providers')).text, { timeout: 20_000 }).toContain('mine')
    expect((await admin('/ais?id=llm:mine', undefined, 'DELETE')).json).toEqual({ removed: true })
    expect((await admin('/providers')).json).toEqual({ providers: [] })
  })

  it.each([
    ['/ais?id=demo', 409],
    ['/ais', 400],
    ['/ais?id=%20', 400],
  ])('%s: %i', async (path, status) => {
    expect(await admin(path, undefined, 'DELETE')).toMatchObject({ status })
  })
})

describe('sign-in', () => {
  const status = async (query = '?agent=codex-acp') => adminSignIn.parse((await admin(`/signin${query}`)).json)

  it('is told with the ways there are, and never installs', async () => {
    expect((await admin('/signin?agent=codex-acp')).status).toBe(404)
    await install('codex-acp')
    expect(await status()).toEqual({
      ok: false,
      detail: 'The codex-acp asks you to sign in.',
      methods: [
        { id: 'chatgpt', name: 'ChatGPT', way: 'here' },
        { id: 'broken', name: 'Broken', way: 'here' },
        { id: 'in-terminal', name: 'Terminal', way: 'terminal' },
      ],
    })
    expect(await status('')).toEqual({ ok: true, detail: 'Demo AI (no model) needs no sign-in.', methods: [] })
    await feed.until((event) => event.event === 'agent_state' && !event.ok)
  })

  it('is done by a way of its own: the page to open is on the feed, and the end is noted', async () => {
    await install('codex-acp')
    const done = await admin('/signin', { agent: 'codex-acp', methodId: 'chatgpt' })
    expect(adminSignIn.parse(done.json)).toMatchObject({ ok: true, detail: 'The codex-acp lets you in.' })
    await feed.until((event) => event.event === 'signin_url' && event.url === 'https://sign-in.example/code')
    await feed.until((event) => event.event === 'agent_state' && event.ok)
    const chosen = await admin('/sites/agent', { origin: await connected(), agent: 'codex-acp' })
    expect(adminSiteAgentReply.parse(chosen.json)).toMatchObject({ agent: 'codex-acp', signIn: { ok: true } })
  })

  const connected = async (): Promise<string> => {
    await test.engine.grants.issue({ origin: SHOP })
    return SHOP
  }

  it('says what went wrong as a status, and which way is meant as an error', async () => {
    await install('codex-acp')
    const broken = await admin('/signin', { agent: 'codex-acp', methodId: 'broken' })
    expect(broken).toMatchObject({ status: 200, json: { ok: false } })
    for (const [body, code] of [
      [{ agent: 'codex-acp' }, 400],
      [{ agent: 'codex-acp', methodId: 'magic' }, 400],
      [{ agent: 'codex-acp', methodId: 'in-terminal' }, 422],
      [{ agent: 'nobody' }, 404],
    ] as const)
      expect((await admin('/signin', body)).status).toBe(code)
    expect((await admin('/signin/cancel', {})).json).toEqual({ ok: true })
  })

  it('has no more than a few pages opened, however many the agent names', async () => {
    await install('codex-acp')
    await admin('/signin', { agent: 'codex-acp', methodId: 'broken' })
    await feed.until((event) => event.event === 'progress' && event.message.includes('ad-29.example'))
    const pages = feed.events.flatMap((event) => (event.event === 'signin_url' ? [event.url] : []))
    expect(pages).toEqual(['https://sign-in.example/code', 'https://ad-0.example/', 'https://ad-1.example/%1B[31m'])
  })

  it("is asked for when a site's AI is chosen, which is installed first", async () => {
    const chosen = await admin('/sites/agent', { origin: await connected(), agent: 'other' })
    expect(adminSiteAgentReply.parse(chosen.json)).toMatchObject({
      ...{ origin: SHOP, agent: 'other' },
      signIn: { ok: false, methods: [{ id: 'chatgpt' }, {}, {}] },
    })
    expect(test.engine.grants.get(SHOP)).toMatchObject({ agent: 'other' })
  })
})

describe('POST /admin/agent/reset', () => {
  it('leaves nothing of an agent', async () => {
    await install('other')
    expect((await admin('/agent/reset', { id: 'other' })).json).toEqual({ ok: true })
    expect(await readdir(join(test.home, 'agents'))).toEqual([])
    for (const [id, status] of [
      ['other', 404],
      ['demo', 400],
      ['llm:ollama', 400],
      ['', 400],
    ] as const)
      expect((await admin('/agent/reset', { id })).status).toBe(status)
  })
})

describe('POST /admin/test', () => {
  it('gives the steps, each also on the feed, and tries one AI at a time', async () => {
    let finish = (): void => undefined
    selfTest = async ({ agents, choice, onStep }) => {
      const step = { name: 'Starts', ok: true, detail: `${agents.nameFor(choice)} is ready.` }
      onStep(step)
      await new Promise<void>((resolve) => (finish = resolve))
      return { ok: true, steps: [step] }
    }
    const first = admin('/test', {})
    await feed.until((event) => event.event === 'progress' && event.stage === 'check')
    expect(progress()).toEqual([
      {
        event: 'progress',
        stage: 'check',
        id: 'demo',
        step: 'Starts',
        ok: true,
        message: 'Demo AI (no model) is ready.',
      },
    ])
    expect((await admin('/test', {})).status).toBe(409)
    finish()
    expect(await first).toMatchObject({ status: 200, json: { ok: true, steps: [{ name: 'Starts', ok: true }] } })
    expect((await admin('/test', { agent: 'nobody' })).status).toBe(404)
  })

  it('ends when nobody waits for it any more', async () => {
    const stop = new AbortController()
    const stopped = new Promise<void>((resolve) => {
      selfTest = ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            resolve()
            reject(new Error('stopped'))
          })
        })
    })
    const asked = test.call('/admin/test', { token: ADMIN, body: {}, signal: stop.signal }).catch(() => null)
    await vi.waitFor(
      async () => {
        expect((await admin('/test', {})).status).toBe(409)
      },
      { timeout: 20_000 },
    )
    stop.abort()
    await Promise.all([stopped, asked])
  })
})
