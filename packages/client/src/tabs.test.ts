import { FakeBrowser, pageScene, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { BridgeClient, type TokenStorage } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

const scene = (options: Parameters<typeof pageScene>[1] = {}) => pageScene((parts) => new BridgeClient(parts), options)

const KEY = 'leuria:token:http://127.0.0.1:19570'

describe('the token', () => {
  it('is kept under the engine’s URL without the slashes at its end', async () => {
    const browser = new FakeBrowser('https://shop.example')
    const fetch = () => Promise.resolve(Response.json({ status: 'allowed', token: 'secret' }))
    for (const url of ['http://127.0.0.1:19570', 'http://localhost:19999//']) {
      await new BridgeClient({ url, page: browser.openTab(), fetch }).connect()
    }
    expect(Object.fromEntries(browser.stored)).toEqual({
      [KEY]: 'secret',
      'leuria:token:http://localhost:19999': 'secret',
    })
  })

  it.each([
    'https://127.0.0.1:19570',
    'http://shop.example',
    'http://127.0.0.1.evil.example',
    'http://u@localhost',
    'nonsense',
    'http://localhost/path',
  ])('is never sent to %s', (url) => {
    expect(() => new BridgeClient({ url })).toThrow(expect.objectContaining({ code: 'bad_url' }) as Error)
  })

  it('lives in memory where storage is blocked', async () => {
    await using page = await scene({ connected: false })
    page.browser.storageBlocked = true
    const client = page.open()
    const connected = client.connect()
    await page.engine.pairing.answer(true)
    await connected
    expect(await client.detect()).toMatchObject({ status: 'ready' })
    expect(page.browser.stored.size).toBe(0)
  })

  it('lives in memory when storage fails later, and the old one is not used again', async () => {
    const stored = new Map([[KEY, 'old']])
    let full = false
    const storage: TokenStorage = {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => {
        if (full) throw new Error('QuotaExceededError')
        stored.set(key, value)
      },
      removeItem: (key) => void stored.delete(key),
    }
    const sent: (string | null)[] = []
    const page = new FakeBrowser('https://shop.example').openTab()
    const client = new BridgeClient({
      storage,
      page,
      fetch: (url, init) => {
        sent.push(new Headers(init.headers).get('authorization'))
        const body = url.endsWith('claim') ? { status: 'allowed', token: 'new' } : { leuria: '1', paired: true }
        return Promise.resolve(Response.json(body))
      },
    })
    full = true
    await client.connect()
    await client.detect()
    expect(sent).toEqual([null, 'Bearer new'])
  })
})

describe('tabs', () => {
  it.each([
    ['by the storage', (browser: FakeBrowser) => (browser.tabsTalk = false)],
    ['by talking, where storage is blocked', (browser: FakeBrowser) => (browser.storageBlocked = true)],
  ])('share one token %s', async (_, prepare) => {
    await using page = await scene({ connected: false })
    prepare(page.browser)
    const [first, second] = [page.open(), page.open()]
    const connected = first.connect()
    await page.engine.pairing.answer(true)
    await connected
    await settle()
    expect(second.getState().status).toBe('connected')
    expect(await second.detect()).toMatchObject({ status: 'ready' })
    first.forget()
    await settle()
    expect(second.getState().status).toBe('not-connected')
    expect(await second.detect()).toEqual({ status: 'unpaired' })
  })

  it('end an attempt of their own when another one got the token', async () => {
    await using page = await scene({ connected: false })
    const other = page.open()
    page.engine.faults.answers.push({ request: /claim$/, status: 404, body: { error: 'Not found' } })
    const waiting = page.client.connect()
    await page.until(() => expect(page.engine.log.requests()).toHaveLength(1))
    const connected = other.connect()
    await page.engine.pairing.answer(true)
    await Promise.all([waiting, connected])
    expect(page.client.getState().status).toBe('connected')
  })

  it('keep a newer token when an older one is refused late', async () => {
    await using page = await scene()
    let release: () => void = () => undefined
    const until = new Promise<void>((resolve) => (release = resolve))
    page.engine.faults.holds.push({ request: /health$/, until })
    page.engine.faults.answers.push({ request: /health$/, status: 401, body: { error: 'x', code: 'not_paired' } })
    const detecting = page.client.detect()
    await page.until(() => expect(page.engine.log.requests(/health$/)).toHaveLength(1))
    const other = page.open()
    const connected = other.connect()
    await page.engine.pairing.answer(true)
    await connected
    release()
    await detecting
    expect(await page.client.detect()).toMatchObject({ status: 'ready' })
    expect(page.browser.stored.get(`leuria:token:${page.engine.url}`)).toBe(
      page.engine.pairing.grants.get('https://shop.example'),
    )
  })

  it('end their sessions when another one disconnects the site', async () => {
    await using page = await scene()
    const session = await page.client.startSession()
    page.open().forget()
    await page.until(() => expect(session.status).toBe('ended'))
    expect(session.error).toMatchObject({ name: 'LeuriaNotConnectedError' })
  })

  it('stop talking while the page is cached, and catch up when it comes back', async () => {
    await using page = await scene({ connected: false })
    page.browser.tabsTalk = true
    page.tab.signal('hide')
    expect(page.browser.channels.size).toBe(0)
    page.browser.stored.set(`leuria:token:${page.engine.url}`, 'token')
    page.tab.signal('show')
    expect([page.browser.channels.size, page.client.getState().status]).toEqual([1, 'connected'])
  })

  it('are left alone by messages that are not ours', async () => {
    await using page = await scene()
    for (const { hear } of page.browser.channels)
      for (const odd of [null, 7, {}, { kind: 'set' }, { kind: 'set', token: '' }]) hear(odd)
    expect(page.browser.stored.size).toBe(1)
  })
})
