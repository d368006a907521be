import { FakeBrowser, fakeClock, pageScene, settle } from '@leuria/testing'
import { describe, expect, it, vi } from 'vitest'
import { BridgeClient, type ConnectOptions } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

const scene = (options: Parameters<typeof pageScene>[1] = {}) =>
  pageScene((parts) => new BridgeClient({ app: 'Mug Shop', needs: { tools: true, effort: 'light' }, ...parts }), {
    connected: false,
    ...options,
  })

type Answer = { status: number; body?: unknown } | 'no answer'

/** A client whose claims get these answers, one after the other; the last one again and again. */
function answered(...answers: Answer[]) {
  const clock = fakeClock()
  const browser = new FakeBrowser('https://shop.example')
  const tab = browser.openTab()
  const asked: number[] = []
  const fetch = vi.fn(() => {
    asked.push(clock.now())
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === undefined || answer === 'no answer') return Promise.reject(new TypeError('Failed to fetch'))
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
    return Promise.resolve(new Response(text === '' ? null : text, { status: answer.status }))
  })
  const client = new BridgeClient({ clock, page: tab, fetch })
  const connect = (options: ConnectOptions = {}) => {
    const outcome: { error?: unknown; done?: true } = {}
    client.connect(options).then(
      () => (outcome.done = true),
      (error: unknown) => (outcome.error = error),
    )
    return outcome
  }
  return { clock, browser, tab, client, fetch, asked, connect }
}

const pending = { status: 200, body: { status: 'pending' } }
const allowed = { status: 200, body: { status: 'allowed', token: 'secret' } }
const silence = { status: 403 }
const unknownNonce = { status: 404, body: { error: 'Not found' } }

describe('the link', () => {
  it('names the site, its needs and a nonce, and is opened before connect returns', async () => {
    await using page = await scene()
    void page.client.connect()
    const { searchParams, host } = new URL(page.tab.links[0]!)
    expect(host).toBe('connect')
    expect(Object.fromEntries(searchParams)).toEqual({
      origin: 'https://shop.example',
      app: 'Mug Shop',
      nonce: expect.stringMatching(/^[\w-]{32}$/) as string,
      tools: '1',
      effort: 'light',
    })
    expect(page.tab.links).toHaveLength(1)
  })

  it('is left to the page with openLink: false, and to the page’s own opener', async () => {
    await using page = await scene()
    void page.client.connect({ openLink: false })
    expect(page.tab.links).toEqual([])
    const opened: string[] = []
    void page.client.connect({ openLink: (link) => opened.push(link) })
    expect([opened.length, page.tab.links.length]).toEqual([1, 0])
  })

  it('is not opened on phones, nor from a page without a web origin', async () => {
    const { client, tab, fetch } = answered(pending)
    tab.runsLeuria = false
    await expect(client.connect()).rejects.toMatchObject({ name: 'LeuriaNotRunningError', code: 'unsupported_device' })
    const file = new FakeBrowser('null').openTab()
    const filePage = new BridgeClient({ page: file, fetch })
    await expect(filePage.connect()).rejects.toMatchObject({ name: 'LeuriaNotConnectedError', code: 'bad_origin' })
    expect([tab.links, file.links, fetch.mock.calls]).toEqual([[], [], []])
  })

  it('does not break an attempt when the page’s opener throws', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { client } = answered(allowed)
    const openLink = () => {
      throw new Error('blocked')
    }
    await client.connect({ openLink })
    expect([client.getState().status, shown.mock.calls.length]).toEqual(['connected', 1])
    shown.mockRestore()
  })

  it('opens the site’s settings', async () => {
    await using page = await scene()
    page.client.manage()
    expect(page.tab.links).toEqual(['leuria://site?origin=https%3A%2F%2Fshop.example'])
    expect(page.engine.log.entries).toEqual([])
  })
})

describe('the claim', () => {
  it('works with a silent engine: the link names the site, which is then answered', async () => {
    await using page = await scene({ silent: true })
    page.tab.onLink = (link) => page.engine.pairing.open(link)
    const connected = page.client.connect()
    await page.engine.pairing.answer(true)
    await connected
    expect(page.client.getState().status).toBe('connected')
    expect(page.engine.log.requests().map(({ body }) => body)).toEqual([
      { nonce: expect.any(String) as string, app: 'Mug Shop', needs: { tools: true, effort: 'light' } },
    ])
    expect(page.engine.log.requests()[0]).toMatchObject({ token: undefined, origin: 'https://shop.example' })
  })

  it('works with an app that is still starting: claims go on until the link arrives', async () => {
    await using page = await scene({ silent: true })
    const links: string[] = []
    page.tab.onLink = (link) => links.push(link)
    const connected = page.client.connect({ onUnreached: () => undefined })
    const claimed = (count: number) =>
      page.until(() => {
        page.clock.advance(750)
        expect(page.engine.log.requests('POST /connect/claim').length).toBeGreaterThan(count)
      })
    await claimed(4)
    page.engine.pairing.open(links[0]!)
    await page.engine.pairing.answer(true)
    await claimed(page.engine.log.requests().length)
    await connected
  })

  it('is made again at once after pending, and every 750 ms after no readable answer', async () => {
    const { clock, connect, asked, client } = answered(pending, pending, 'no answer', silence, unknownNonce, allowed)
    const outcome = connect()
    await clock.advanceAsync(2_450)
    expect(asked).toEqual([0, 100, 200, 950, 1_700, 2_450])
    await settle()
    expect([outcome.done, client.getState().status]).toEqual([true, 'connected'])
  })

  it('does not flood an engine that answers pending without waiting', async () => {
    const { clock, connect, asked } = answered(pending)
    connect()
    await clock.advanceAsync(10_000)
    expect(asked.length).toBeLessThanOrEqual(101)
  })

  it('takes other software on the port for no answer', async () => {
    const { clock, connect, client } = answered({ status: 200, body: { hello: 'world' } }, { status: 500 }, allowed)
    connect()
    await clock.advanceAsync(1_500)
    expect(client.getState().status).toBe('connected')
  })

  it.each([
    {
      when: 'the visitor says no',
      answer: { status: 200, body: { status: 'denied' } },
      code: 'declined',
      status: 'declined',
    },
    {
      when: 'the visitor said no a moment ago',
      answer: { status: 429, body: { error: 'x', retryAfterS: 20 } },
      code: 'declined_recently',
      status: 'declined',
    },
    {
      when: 'the question has expired',
      answer: { status: 410, body: { error: 'x' } },
      code: 'expired',
      status: 'not-connected',
    },
    {
      when: 'the request is refused',
      answer: { status: 400, body: { error: 'nonce', code: 'odd' } },
      code: 'odd',
      status: 'not-connected',
    },
  ])('ends when $when', async ({ answer, code, status }) => {
    const { client, browser } = answered(answer)
    await expect(client.connect()).rejects.toMatchObject({ code })
    expect([client.getState().status, client.getState().error?.code]).toEqual([status, code])
    expect([...browser.stored.keys()].filter((key) => key.includes('token'))).toEqual([])
  })

  it('tells how long to wait after a no', async () => {
    const { client } = answered({ status: 429, body: { error: 'x', retryAfterS: 20 } })
    await expect(client.connect()).rejects.toMatchObject({ status: 429, retryAfterS: 20, detail: 'x' })
  })

  it.each([
    ['of a moment ago', 0, true],
    ['of less than 30 s ago', 26_000, true],
    ['of 30 s ago', 30_000, false],
    ['of the future, because the date was set back', -60_000, false],
  ])('knows a no %s that another page, or another tab, was told', async (_, agoMs, isNo) => {
    const { browser, clock, connect, client } = answered(silence)
    browser.stored.set('leuria:no:http://127.0.0.1:19570', String(clock.date().getTime() - agoMs))
    const attempt = connect()
    await clock.advanceAsync(3_800)
    expect(attempt.error !== undefined).toBe(isNo)
    expect(client.getState().status).toBe(isNo ? 'declined' : 'connecting')
  })

  it('keeps a no with its time, until it becomes a yes', async () => {
    const { browser, clock, connect } = answered({ status: 200, body: { status: 'denied' } }, allowed)
    connect()
    await clock.advanceAsync(0)
    expect([...browser.stored]).toEqual([['leuria:no:http://127.0.0.1:19570', String(clock.date().getTime())]])
    connect()
    await clock.advanceAsync(0)
    expect([...browser.stored]).toEqual([['leuria:token:http://127.0.0.1:19570', 'secret']])
  })

  it('knows an app that is silent after a no from one that is gone', async () => {
    const { clock, connect, client } = answered({ status: 200, body: { status: 'denied' } }, silence)
    connect()
    await clock.advanceAsync(10_000)
    const again = connect()
    await clock.advanceAsync(2_500)
    expect(again.error).toBeUndefined()
    await clock.advanceAsync(1_000)
    expect(again.error).toMatchObject({ code: 'declined_recently' })
    expect(client.getState().status).toBe('declined')
    await clock.advanceAsync(16_500)
    const later = connect()
    await clock.advanceAsync(10_500)
    expect(later.error).toMatchObject({ code: 'not_running' })
  })
})

describe('an engine that is not there', () => {
  it('is reported after 10 s; the attempt goes on in the background and may still succeed', async () => {
    const { clock, connect, client, tab } = answered(...Array<Answer>(20).fill('no answer'), allowed)
    const outcome = connect()
    await clock.advanceAsync(9_750)
    expect([outcome.error, client.getState().status]).toEqual([undefined, 'connecting'])
    await clock.advanceAsync(750)
    expect(outcome.error).toMatchObject({ name: 'LeuriaNotRunningError', code: 'not_running' })
    expect(client.getState().status).toBe('not-running')
    await clock.advanceAsync(10_000)
    expect([client.getState().status, tab.links.length]).toEqual(['connected', 1])
  })

  it('is told to onUnreached once, and the promise stays open', async () => {
    const { clock, connect, client } = answered(...Array<Answer>(30).fill(silence), pending, allowed)
    const onUnreached = vi.fn()
    const outcome = connect({ onUnreached })
    await clock.advanceAsync(20_000)
    expect([onUnreached.mock.calls.length, outcome, client.getState().status]).toEqual([1, {}, 'not-running'])
    await clock.advanceAsync(5_000)
    expect([outcome.done, client.getState().status]).toEqual([true, 'connected'])
  })

  it('is not reported while Leuria answers that it does not know the link yet', async () => {
    const { clock, connect, client } = answered(unknownNonce)
    const outcome = connect()
    await clock.advanceAsync(60_000)
    expect([outcome, client.getState().status]).toEqual([{}, 'connecting'])
  })

  it('is reported when it stops answering in the middle', async () => {
    const { clock, connect, client } = answered(pending, 'no answer')
    connect({ onUnreached: () => undefined })
    await clock.advanceAsync(11_000)
    expect(client.getState().status).toBe('not-running')
  })

  it('ends the attempt after five minutes', async () => {
    const { clock, connect, client, asked } = answered('no answer')
    const outcome = connect({ onUnreached: () => undefined })
    await clock.advanceAsync(299_999)
    expect(outcome).toEqual({})
    await clock.advanceAsync(1)
    expect(outcome.error).toMatchObject({ name: 'LeuriaNotRunningError' })
    expect(client.getState().status).toBe('not-running')
    const count = asked.length
    await clock.advanceAsync(60_000)
    expect(asked.length).toBe(count)
  })

  it('ends an attempt that was never answered as expired, not as not running', async () => {
    const { clock, connect, client } = answered(unknownNonce)
    const outcome = connect({ timeoutMs: 5_000 })
    await clock.advanceAsync(5_000)
    expect(outcome.error).toMatchObject({ name: 'LeuriaNotConnectedError', code: 'expired' })
    expect(client.getState().status).toBe('not-connected')
  })

  it('does not wait for ever for a claim that hangs', async () => {
    const clock = fakeClock()
    const page = new FakeBrowser('https://shop.example').openTab()
    const fetch = vi.fn(() => new Promise<Response>(() => undefined))
    const client = new BridgeClient({ clock, page, fetch })
    void client.connect({ onUnreached: () => undefined })
    await clock.advanceAsync(34_999)
    expect([client.getState().status, fetch.mock.calls.length]).toEqual(['connecting', 1])
    await clock.advanceAsync(751)
    expect([client.getState().status, fetch.mock.calls.length]).toEqual(['not-running', 2])
  })
})

describe('calling off', () => {
  it('ends with AbortError and no further request', async () => {
    const { clock, connect, client, asked } = answered('no answer')
    const abort = new AbortController()
    const outcome = connect({ signal: abort.signal })
    await clock.advanceAsync(1_000)
    abort.abort()
    await settle()
    expect(outcome.error).toMatchObject({ name: 'AbortError', code: 'aborted' })
    expect(client.getState()).toEqual({ status: 'not-connected' })
    const count = asked.length
    await clock.advanceAsync(60_000)
    expect([asked.length, clock.pending]).toEqual([count, 0])
  })

  it('opens nothing when it was called off before', async () => {
    const { client, tab, fetch } = answered(pending)
    await expect(client.connect({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    expect([tab.links, fetch.mock.calls]).toEqual([[], []])
  })

  it('gives way to a newer attempt, whose answer counts', async () => {
    await using page = await scene()
    const first = page.client.connect()
    const refused = expect(first).rejects.toMatchObject({ name: 'AbortError', code: 'superseded' })
    await page.until(() => expect(page.engine.log.requests()).toHaveLength(1))
    const second = page.client.connect()
    await refused
    await page.until(() => expect(page.engine.log.requests()).toHaveLength(2))
    await page.engine.pairing.answer(true)
    await second
    expect(page.client.getState().status).toBe('connected')
  })

  it('ends with the client, and when the site is disconnected', async () => {
    for (const end of ['forget', 'destroy'] as const) {
      const { clock, connect, client, asked } = answered('no answer')
      const outcome = connect()
      await settle()
      client[end]()
      await settle()
      expect(outcome.error).toMatchObject({ name: 'AbortError' })
      await clock.advanceAsync(60_000)
      expect([asked.length, clock.pending]).toEqual([1, 0])
      if (end === 'forget') expect(client.getState()).toEqual({ status: 'not-connected' })
    }
  })

  it('keeps a token that a new attempt did not replace', async () => {
    const { browser, tab } = answered(pending)
    browser.stored.set('leuria:token:http://127.0.0.1:19570', 'old')
    const body = { status: 'denied' }
    const client = new BridgeClient({ page: tab, fetch: () => Promise.resolve(Response.json(body)) })
    await expect(client.connect()).rejects.toMatchObject({ code: 'declined' })
    expect(client.getState().status).toBe('checking')
    expect(browser.stored.get('leuria:token:http://127.0.0.1:19570')).toBe('old')
  })
})
