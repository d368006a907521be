/** The desktop app's engine, driven through `/admin/` by the app alone. Its silence and its pairing: the tests named after the page. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Origin, prepareReply } from '@leuria/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVIL, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'
const WEBVIEW = 'tauri://localhost'

let test: TestEngine
beforeEach(async () => {
  test = await openTestEngine({ mode: 'app', adminToken: ADMIN })
})
afterEach(() => test[Symbol.asyncDispose]())

const admin = (path: string, body?: unknown, method?: string) =>
  test.call(`/admin${path}`, {
    token: ADMIN,
    origin: WEBVIEW,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  })

/** A session of a connected site, which has the default AI unless one is named; gives a look at its status. */
async function prepare(origin: Origin, agent?: string): Promise<() => Promise<unknown>> {
  const { token } = await test.engine.grants.issue({ origin, ...(agent === undefined ? {} : { agent }) })
  const { json } = await test.call('/session/prepare', { origin, token, body: {} })
  const { sessionId } = prepareReply.parse(json)
  return async () => {
    const info = (await test.call(`/session/${sessionId}`, { origin, token })).json
    return typeof info === 'object' && info !== null && 'status' in info ? info.status : expect.fail('no session')
  }
}

describe('the admin API', () => {
  it('tells what it is', async () => {
    expect((await admin('/status')).json).toEqual({
      version: '0.1.0',
      port: test.engine.port,
      agent: { id: 'demo', name: 'Demo AI (no model)', installed: 'agent', ready: true },
      sites: 0,
      pairing: [],
      warnings: [],
    })
  })

  it('needs the token, whoever asks, and refuses every web page even with it', async () => {
    for (const token of [undefined, 'wrong', `${ADMIN}x`, ADMIN.slice(0, -1)]) {
      const answer = await test.call('/admin/status', { origin: WEBVIEW, ...(token === undefined ? {} : { token }) })
      expect(answer).toMatchObject({ status: 401, json: { error: 'Unauthorized' } })
      expect(answer.headers['access-control-allow-origin']).toBe(WEBVIEW)
    }
    expect((await test.call('/admin/status', { token: ADMIN })).status).toBe(200)
    await test.engine.grants.issue({ origin: SHOP })
    expect((await test.call('/admin/status', { origin: SHOP, token: ADMIN })).status).toBe(403)
    expect((await test.call('/admin/status', { origin: test.engine.url, token: ADMIN })).status).toBe(403)
  })

  it('tells the app which routes it does not have, and nobody else', async () => {
    for (const [method, path] of [
      ['GET', '/nope'],
      ['POST', '/status'],
      ['DELETE', '/pairing'],
    ] as const) {
      expect((await admin(path, undefined, method)).status).toBe(404)
      expect((await test.call(`/admin${path}`, { method, origin: WEBVIEW })).status).toBe(401)
      expect((await test.call(`/admin${path}`, { method })).status).toBe(401)
    }
  })

  it('answers the preflights of the app', async () => {
    const preflight = await test.call('/admin/sites', { method: 'OPTIONS', origin: 'http://tauri.localhost' })
    expect(preflight).toMatchObject({ status: 204, text: '' })
    expect(preflight.headers['access-control-allow-origin']).toBe('http://tauri.localhost')
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
  })

  it('makes another AI the default, and ends the sessions that ran on the old one', async () => {
    expect(await admin('/agent', { id: 'llm:nobody' })).toMatchObject({ status: 404 })
    // It might be in the list, which can't be fetched.
    expect(await admin('/agent', { id: 'nobody' })).toMatchObject({ status: 422 })
    expect(await admin('/agent', {})).toMatchObject({ status: 400 })
    expect((await admin('/agent', { id: 'demo' })).json).toEqual({
      id: 'demo',
      name: 'Demo AI (no model)',
      version: null,
    })
    const provider = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' }
    await writeFile(join(test.home, 'providers.json'), JSON.stringify({ version: 1, providers: [provider] }))
    await expect.poll(async () => (await admin('/agent', { id: 'llm:mine/big' })).status, { timeout: 20_000 }).toBe(200)
    await admin('/agent', { id: 'demo' })

    const sessions = await Promise.all([prepare(SHOP), prepare(EVIL, 'demo')])
    expect((await admin('/agent', { id: 'llm:mine/big' })).json).toEqual({
      id: 'llm:mine/big',
      name: 'Mine · big',
      version: null,
    })
    expect(await Promise.all(sessions.map((status) => status()))).toEqual(['cancelled', 'pending_approval'])
    expect((await admin('/status')).json).toMatchObject({
      agent: { id: 'llm:mine/big', installed: 'llm', ready: true },
    })
  })

  it("is an unknown route of the command line's engine", async () => {
    await using page = await openTestEngine({ adminToken: ADMIN })
    for (const path of ['/admin/status', '/admin/sites'])
      expect((await page.call(path, { token: ADMIN })).status).toBe(404)
  })
})
