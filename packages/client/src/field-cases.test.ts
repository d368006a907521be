import { fakeClock, pageScene, settle } from '@leuria/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BridgeClient, type BridgeEvent, type BridgeSession } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

/** A browser's globals, as far as the client touches them or could send anything by them. */
function stubBrowser() {
  const sent: string[] = []
  const links: { href: string; during: string }[] = []
  let during = 'later'
  const note = (what: string) => (input: unknown) => {
    sent.push(`${what} ${String(input)}`)
    return Promise.reject(new TypeError('Failed to fetch'))
  }
  const forbidden = (what: string) =>
    class {
      constructor(url: string) {
        sent.push(`${what} ${url}`)
      }
    }
  const anchor = () => ({
    href: '',
    style: {},
    click(this: { href: string }) {
      links.push({ href: this.href, during })
    },
    remove: () => undefined,
  })
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    createElement: anchor,
    body: { append: () => undefined },
  })
  const stored = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
  const window = Object.assign(new EventTarget(), { localStorage })
  const navigator = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', maxTouchPoints: 0, sendBeacon: note('beacon') }
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', window)
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('fetch', note('fetch'))
  vi.stubGlobal('WebSocket', forbidden('WebSocket'))
  vi.stubGlobal('EventSource', forbidden('EventSource'))
  vi.stubGlobal('BroadcastChannel', undefined)
  return {
    sent,
    links,
    stored,
    fire: () => {
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('online'))
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
      window.dispatchEvent(new Event('storage'))
    },
    /** Runs a handler as a click would, noting what happens before it returns. */
    click: <T>(handler: () => T): T => {
      during = 'click'
      try {
        return handler()
      } finally {
        during = 'later'
      }
    },
  }
}

describe('FC-06: no request without a token', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('sends nothing before the click; then the link inside it, and only then the claim', async () => {
    const browser = stubBrowser()
    const clock = fakeClock()
    const client = new BridgeClient({ clock, app: 'Mugs' })
    const states: string[] = []
    client.subscribe(({ status }) => states.push(status))
    expect(client.getState()).toEqual({ status: 'not-connected' })
    expect(await client.detect()).toEqual({ status: 'unpaired' })
    await expect(client.startSession()).rejects.toMatchObject({ name: 'LeuriaNotConnectedError' })
    await expect(client.embed(['fox'])).rejects.toMatchObject({ name: 'LeuriaNotConnectedError' })
    browser.fire()
    await clock.advanceAsync(60_000)
    expect([browser.sent, browser.links, states]).toEqual([[], [], []])

    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const unreached = vi.fn()
    browser.click(() => {
      // The promise is left alone on purpose: the state tells the same.
      void client.connect({ onUnreached: unreached })
    })
    expect(browser.links).toEqual([{ href: expect.stringContaining('leuria://connect?') as string, during: 'click' }])
    const nonce = new URL(browser.links[0]!.href).searchParams.get('nonce') ?? ''
    expect(Buffer.from(nonce, 'base64url').length).toBeGreaterThanOrEqual(16)
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{22,128}$/)

    // The browser denies local network access: every fetch rejects.
    await clock.advanceAsync(9_000)
    expect([client.getState().status, unreached.mock.calls.length]).toEqual(['connecting', 0])
    await clock.advanceAsync(2_000)
    expect([client.getState().status, unreached.mock.calls.length]).toEqual(['not-running', 1])
    expect(client.getState().error?.message).toBe("Leuria isn't running on this computer, or isn't installed.")
    expect(new Set(browser.sent)).toEqual(new Set(['fetch http://127.0.0.1:19570/connect/claim']))
    await clock.advanceAsync(300_000)
    await settle()
    expect(unhandled).not.toHaveBeenCalled()
    process.off('unhandledRejection', unhandled)
    client.destroy()
  })

  it('sends nothing either after the token was forgotten because of a 401', async () => {
    const browser = stubBrowser()
    const clock = fakeClock()
    browser.stored.set('leuria:token:http://127.0.0.1:19570', 'old')
    const refusal = () => Promise.resolve(Response.json({ error: 'no', code: 'not_paired' }, { status: 401 }))
    const fetch = vi.fn(refusal)
    const client = new BridgeClient({ clock, fetch })
    expect(client.getState().status).toBe('checking')
    await expect(client.startSession()).rejects.toMatchObject({ name: 'LeuriaNotConnectedError', status: 401 })
    expect([browser.stored.size, client.getState().status]).toEqual([0, 'not-connected'])
    fetch.mockClear()
    browser.fire()
    await client.detect()
    await clock.advanceAsync(60_000)
    expect(fetch).not.toHaveBeenCalled()
    client.destroy()
  })

  it('makes a fresh nonce for each attempt', () => {
    const browser = stubBrowser()
    const client = new BridgeClient({ clock: fakeClock() })
    for (let each = 0; each < 3; each += 1) void client.connect()
    const nonces = browser.links.map(({ href }) => new URL(href).searchParams.get('nonce'))
    expect(new Set(nonces).size).toBe(3)
    client.destroy()
  })
})

describe('FC-19: doubled text after a reconnect', () => {
  const FIRST = 'event: turn_start\ndata: null\n\nevent: chunk\ndata: "ha"\n\nevent: chunk\ndata: "ha"\n\n'
  const SECOND =
    'event: webmcp_ready\ndata: {"registrationToken":"r","webmcpUrl":"http://127.0.0.1:19570"}\n\n' +
    'event: chunk\ndata: "ha"\n\nevent: chunk\ndata: "ha"\n\nevent: chunk\ndata: "ha"\n\nevent: chunk\ndata: "!"\n\n' +
    'event: turn_completed\ndata: {"text":"hahaha!","durationMs":900}\n\n'

  async function start(first: string, second: string | null) {
    const scene = await pageScene((parts) => new BridgeClient(parts))
    const { faults } = scene.engine
    faults.rawStreams.push({ text: first, then: 'drop' })
    if (second !== null) faults.rawStreams.push({ text: second, then: 'hold' })
    const events: BridgeEvent[] = []
    const session = await scene.client.startSession({ prompt: 'hold', onEvent: (event) => events.push(event) })
    const named = (name: BridgeEvent['event']) => events.filter(({ event }) => event === name)
    return { scene, session, named, events }
  }

  async function hears(first: string, second: string): Promise<void> {
    const { scene, session, named, events } = await start(first, second)
    await using _ = scene
    await scene.until(() => expect(named('reconnecting')).toHaveLength(1))
    scene.clock.advance(500)
    await scene.until(() => expect(named('turn_completed')).toHaveLength(1))
    const pieces = events.map((each) => (each.event === 'chunk' ? [each.data] : [])).flat()
    expect([pieces.length, pieces.join(''), session.text]).toEqual([4, 'hahaha!', 'hahaha!'])
    expect(named('turn_start')).toHaveLength(1)
  }

  it('skips what it has by count, not by equality', async () => {
    await hears(FIRST, SECOND)
  })

  it('does so when the connection drops inside an event', async () => {
    const middle = FIRST.indexOf('"ha"') + 2
    await hears(FIRST.slice(0, middle), SECOND)
    await hears(FIRST.slice(0, -3), SECOND)
  })

  it('tries again after 0.5, 1, 2, 4 and 8 s, then gives up with an error', async () => {
    const { scene, session, named } = await start(FIRST, null)
    await using _ = scene
    scene.engine.faults.refuseStreams = 5
    const opened = () => scene.network.uses.filter(({ url }) => url.endsWith('/stream'))
    for (const [index, delayMs] of [500, 1_000, 2_000, 4_000, 8_000].entries()) {
      await scene.until(() => expect(named('reconnecting')).toHaveLength(index + 1))
      await scene.clock.advanceAsync(delayMs - 1)
      expect(opened()).toHaveLength(index + 1)
      scene.clock.advance(1)
      await scene.until(() => expect(opened()).toHaveLength(index + 2))
    }
    await scene.until(() => expect(session.status).toBe('ended'))
    expect(session.error).toMatchObject({ name: 'LeuriaError', code: 'lost_connection' })
    expect(named('failed')).toEqual([{ event: 'failed', data: 'The connection to Leuria was lost.' }])
    expect(opened()).toHaveLength(6)
    expectTold(session)
  })

  function expectTold(session: BridgeSession): void {
    expect([session.outcome, session.text]).toEqual(['failed', 'haha'])
  }
})
