/** The window's feed and the log, over real sockets: everything a window shows comes by itself, and nothing is missed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAudit } from '@leuria/audit'
import { type AdminEvent, adminLog, adminStatus } from '@leuria/protocol'
import { openUsage } from '@leuria/usage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EVIL, freshNonce, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { connectSite } from './site.fixture.js'
import { openWindow, type TestWindow, type WindowOptions } from './window.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'

let test: TestEngine
const windows: TestWindow[] = []
beforeEach(async () => {
  test = await openTestEngine({ mode: 'app', adminToken: ADMIN })
})
afterEach(async () => {
  for (const window of windows.splice(0)) window.close()
  await test[Symbol.asyncDispose]()
})

async function open(options: WindowOptions = {}): Promise<TestWindow> {
  const window = await openWindow(test, ADMIN, options)
  windows.push(window)
  return window
}

const admin = (path: string, body?: unknown, method?: string) =>
  test.call(`/admin${path}`, { token: ADMIN, ...(body === undefined ? {} : { body }), ...(method && { method }) })

const isEvent =
  <Name extends AdminEvent['event']>(name: Name, more: object = {}) =>
  (event: AdminEvent): boolean =>
    event.event === name && Object.entries(more).every(([key, value]) => Reflect.get(event, key) === value)

describe('GET /admin/events', () => {
  it('begins by saying so, and needs what every admin route needs', async () => {
    expect((await open()).events).toEqual([{ event: 'open' }])
    expect(await test.call('/admin/events')).toMatchObject({ status: 401 })
    expect(await test.call('/admin/events', { token: 'wrong', origin: 'tauri://localhost' })).toMatchObject({
      status: 401,
    })
    await test.engine.grants.issue({ origin: SHOP })
    expect(await test.call('/admin/events', { token: ADMIN, origin: SHOP })).toMatchObject({ status: 403 })
  })

  it('tells of questions and answers, and of the site that is connected then', async () => {
    const window = await open()
    await admin('/pairing/link', { origin: SHOP, app: 'Shop', nonce: freshNonce() })
    const asked = await window.until(isEvent('pairing', { origin: SHOP, app: 'Shop' }))
    if (asked.event !== 'pairing') expect.fail('no question')
    await admin(`/pairing/${asked.requestId}`, { allow: true })
    await window.until(isEvent('pairing_decided', { requestId: asked.requestId, allowed: true }))
    await window.until(isEvent('site', { origin: SHOP, change: 'added' }))
    await admin(`/sites?origin=${SHOP}`, undefined, 'DELETE')
    await window.until(isEvent('site', { origin: SHOP, change: 'revoked' }))
  })

  it('tells of sessions, what they use, and what they do', async () => {
    const window = await open()
    const session = await (await connectSite(test)).prepare({ prompt: 'hello' })
    await session.act('approve')
    await session.until('turn_completed')
    await session.act('close')
    for (const status of ['pending_approval', 'running', 'idle', 'completed'])
      await window.until(isEvent('session', { origin: SHOP, status }))
    const usage = await window.until(isEvent('usage'))
    expect(usage).toMatchObject({ sites: [{ origin: SHOP, turns: 1 }] })
    await window.until(isEvent('activity', { kind: 'session_started', origin: SHOP }))
    await window.until(isEvent('activity', { kind: 'session_ended', origin: SHOP, status: 'completed' }))
  })

  it('tells of every change of settings, whichever process makes it', async () => {
    const window = await open()
    await test.engine.grants.issue({ origin: SHOP })
    await admin('/limits', { origin: SHOP, sessions: 2 })
    await window.until(({ event }) => event === 'limits')
    await admin('/embeddings', { choice: 'off' })
    await window.until(isEvent('embed', { choice: 'off' }))
    const provider = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' }
    await writeFile(join(test.home, 'providers.json'), JSON.stringify({ version: 1, providers: [provider] }))
    await window.until(isEvent('ais'))
    await admin('/agent/model', { id: 'llm:mine', model: 'big' })
    await window.until(isEvent('model', { id: 'llm:mine', model: 'big' }))
    await admin('/agent', { id: 'llm:mine' })
    await window.until(isEvent('agent', { id: 'llm:mine', name: 'Mine · big' }))
    // As the command line does.
    const other = await openUsage({ home: test.home })
    await other.clearLimits(SHOP)
    await other.close()
    await window.until((event) => event.event === 'limits' && event.limits.length === 0)
  })

  it('tells other programs what concerns AIs, too', async () => {
    await open()
    await admin('/embeddings', { choice: 'off' })
    await expect.poll(() => test.events).toContainEqual({ event: 'embed', choice: 'off' })
  })

  it.each(['header', 'query'] as const)('goes on where a window was, with its last id in the %s', async (resume) => {
    const before = await open()
    await admin('/embeddings', { choice: 'off' })
    await before.until(isEvent('embed'))
    before.close()
    await admin('/embeddings', { choice: 'auto' })
    const after = await open({ lastEventId: before.lastId ?? '', resume })
    await after.until(isEvent('embed', { choice: 'auto' }))
    expect(after.events[0]).toEqual({ event: 'embed', choice: 'auto' })
  })

  it('has a window read everything anew when the engine is another one', async () => {
    const before = await open()
    await test.restart()
    await before.ended
    const after = await open({ lastEventId: before.lastId ?? '' })
    expect(after.events).toEqual([{ event: 'reset' }])
  })
})

describe('warnings', () => {
  it('of a damaged file are on the feed and in the status, and the file is set aside', async () => {
    const window = await open()
    await writeFile(join(test.home, 'config.json'), '{"agent":')
    const warning = await window.until(isEvent('warning'))
    if (warning.event !== 'warning') expect.fail('no warning')
    expect(warning.message).toContain('config.json')
    const { warnings } = adminStatus.parse((await admin('/status')).json)
    expect(warnings).toContainEqual({ at: warning.at, message: warning.message })
  })

  it('of the start are there for the window that comes later; nothing is lost', async () => {
    await writeFile(join(test.home, 'config.json'), 'not json')
    await test.restart()
    const { warnings } = adminStatus.parse((await admin('/status')).json)
    expect(warnings).toHaveLength(1)
    expect(warnings?.[0]?.message).toMatch(/config\.json.*damaged/)
  })
})

describe('GET /admin/log', () => {
  let audit: ReturnType<typeof openAudit>
  beforeEach(async () => {
    await test[Symbol.asyncDispose]()
    const home = await mkdtemp(join(tmpdir(), 'leuria-log-'))
    audit = openAudit({ home })
    test = await openTestEngine({ mode: 'app', adminToken: ADMIN, home, audit })
  })
  afterEach(async () => {
    await audit.close()
    await rm(test.home, { recursive: true, force: true })
  })

  const page = async (query = '') => adminLog.parse((await admin(`/log${query}`)).json)

  it('has what happened right before: a window that opens then was not told', async () => {
    for (const round of Array.from({ length: 10 }, (_, at) => `s${at}`)) {
      audit.record({ kind: 'session_started', origin: SHOP, sessionId: round })
      const { entries } = adminLog.parse((await admin('/log')).json)
      expect(entries[0]).toMatchObject({ sessionId: round })
    }
  })

  it('has the same lines as the feed, with the same times, newest first and in pages', async () => {
    const window = await open()
    for (const origin of [SHOP, EVIL]) {
      await test.engine.grants.issue({ origin })
      await admin(`/sites?origin=${origin}`, undefined, 'DELETE')
    }
    await window.until(isEvent('activity', { origin: EVIL }))
    const seen = window.events.filter(({ event }) => event === 'activity').reverse()
    const entries = await vi.waitUntil(
      async () => {
        const all = (await page()).entries
        return all.length === 2 ? all : null
      },
      { timeout: 20_000 },
    )
    expect(entries.map(({ id: _id, ...entry }) => ({ event: 'activity', ...entry }))).toEqual(seen)
    const first = await page('?limit=1')
    expect(first.entries).toEqual([entries[0]])
    expect(await page(`?limit=1&before=${first.next ?? ''}`)).toEqual({ entries: [entries[1]], next: null })
    expect((await page(`?origin=${SHOP}`)).entries).toEqual([entries[1]])
  })

  it.each(['?limit=0', '?limit=201', '?limit=x', '?before=x', '?origin=file%3A'])('%s: 400', async (query) => {
    expect(await admin(`/log${query}`)).toMatchObject({ status: 400 })
  })

  it('takes the largest page', async () => {
    expect(await page('?limit=200')).toEqual({ entries: [], next: null })
  })
})
