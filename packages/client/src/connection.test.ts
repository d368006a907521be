import { FakeBrowser, fakeClock, pageScene, settle } from '@leuria/testing'
import { describe, expect, it, vi } from 'vitest'
import { OwnProvider, visitorsAi } from './cascade/own-provider.fixture.js'
import { bridge, connection, createLeuria, LeuriaNotRunningError } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

function scene(own = visitorsAi()) {
  const client = createLeuria({
    providers: [own, new OwnProvider('server')],
    clock: fakeClock(),
    page: new FakeBrowser('https://shop.example').openTab(),
  })
  /** What the visitor's answer, or its absence, is. */
  let answer: { yes: () => void; no: (error: Error) => void } = { yes: () => undefined, no: () => undefined }
  const clicked = vi.fn(
    () =>
      new Promise<void>((resolve, no) => {
        answer = {
          yes: () => {
            own.become({ status: 'ready', action: undefined, model: 'Claude' })
            resolve()
          },
          no,
        }
      }),
  )
  own.onConnect = clicked
  const button = connection(client)
  const status = () => button.getState().status
  return { client, own, button, status, clicked, answer: () => answer }
}

describe('a connection', () => {
  it('is one object for a client and a provider', () => {
    const { client, button } = scene()
    expect(connection(client)).toBe(button)
    expect(connection(client, 'bridge')).toBe(button)
    expect(connection(client, 'server')).not.toBe(button)
    expect(connection(scene().client)).not.toBe(button)
  })

  it.each([
    ['unknown', 'checking'],
    ['detecting', 'checking'],
    ['needs-action', 'not-connected'],
    ['unavailable', 'not-running'],
    ['downloading', 'connecting'],
    ['ready', 'connected'],
  ] as const)('reads %s as %s', (status, shown) => {
    expect(scene(visitorsAi({ status, action: undefined })).status()).toBe(shown)
  })

  it('asks in the click, once, and says who answers', async () => {
    const { button, status, clicked, answer } = scene()
    const heard = vi.fn()
    button.subscribe(heard)
    const before = button.getState()
    expect(before).toMatchObject({ status: 'not-connected', error: null, alternatives: [{ id: 'server' }] })
    button.connect()
    expect([clicked.mock.calls.length, status()]).toEqual([1, 'connecting'])
    button.connect()
    expect(clicked).toHaveBeenCalledOnce()
    answer().yes()
    await settle()
    expect(button.getState()).toMatchObject({
      status: 'connected',
      model: 'Claude',
      provider: { id: 'bridge' },
      error: null,
      alternatives: [],
    })
    expect(button.getState()).toBe(button.getState())
    expect(heard.mock.calls.length).toBeLessThanOrEqual(3)
  })

  it('says that the visitor said no, and asks again', async () => {
    const { button, status, clicked, answer } = scene()
    button.connect()
    answer().no(new LeuriaNotRunningError('no phone', { code: 'unsupported_device' }))
    await settle()
    expect(button.getState()).toMatchObject({ status: 'not-running', error: { code: 'unsupported_device' } })
    button.retry()
    expect([clicked.mock.calls.length, status()]).toEqual([2, 'connecting'])
    answer().no(new Error('no'))
    await settle()
    expect(button.getState()).toMatchObject({ status: 'declined', error: { code: 'connect_failed' } })
    button.retry()
    expect([clicked.mock.calls.length, button.getState().error]).toEqual([3, null])
  })

  it('lets the visitor click again while Leuria is not running, and goes on in the background', async () => {
    const { button, own, status, clicked, answer } = scene()
    button.connect()
    own.become({ status: 'unavailable' })
    const first = answer()
    expect(status()).toBe('not-running')
    button.connect()
    expect(clicked).toHaveBeenCalledTimes(2)
    first.no(new Error('superseded'))
    await settle()
    own.become({ status: 'needs-action' })
    expect(button.getState()).toMatchObject({ status: 'connecting', error: null })
  })

  it('only looks again where the visitor has connected before', () => {
    const { button, own, clicked } = scene(visitorsAi({ status: 'unavailable', action: undefined }))
    const before = own.detections
    button.retry()
    expect([own.detections - before, clicked.mock.calls.length]).toEqual([1, 0])
  })

  it('disconnects, opens the settings, and offers what else there is', async () => {
    const own = Object.assign(visitorsAi({ status: 'ready', action: undefined }), { manage: vi.fn() })
    const { button, client, status } = scene(own)
    expect(button.canManage).toBe(true)
    button.manage()
    expect(own.manage).toHaveBeenCalledOnce()
    button.disconnect()
    await settle()
    expect([status(), button.canManage]).toEqual(['not-connected', false])
    button.chooseInstead('server')
    expect([client.getState().active?.id, button.getState().alternatives]).toEqual(['server', []])
  })

  it('to a provider that the client does not have is none', () => {
    const { client } = scene()
    const none = connection(client, 'nobody')
    none.connect()
    none.manage()
    expect(none.getState()).toMatchObject({ status: 'not-connected', provider: null })
  })
})

describe('with the engine', () => {
  const withBridge = (options: Parameters<typeof pageScene>[1] = {}) =>
    pageScene((parts) => createLeuria({ ...parts, providers: [bridge({ app: 'Mug Shop', ...parts })] }), {
      connected: false,
      ...options,
    })

  // FC-06
  it('sends nothing and opens nothing before the click, whatever happens to the page', async () => {
    await using page = await withBridge()
    const button = connection(page.client)
    button.subscribe(() => undefined)
    for (const signal of ['visible', 'focus', 'online', 'show', 'storage', 'hide'] as const) page.tab.signal(signal)
    await page.clock.advanceAsync(60_000)
    expect([page.network.uses, page.tab.links, button.getState().status]).toEqual([[], [], 'not-connected'])
    button.connect()
    expect(page.tab.links).toEqual([expect.stringMatching(/^leuria:\/\/connect\?.*nonce=[\w-]{32}/)])
    expect(button.getState().status).toBe('connecting')
    await page.engine.pairing.answer(true)
    await page.until(() => expect(button.getState()).toMatchObject({ status: 'connected', model: 'Puppet AI' }))
  })

  // FC-06, the variant: the token was forgotten after a 401.
  it('sends nothing more once the token was refused', async () => {
    await using page = await withBridge({ connected: true })
    const button = connection(page.client)
    await page.until(() => expect(button.getState().status).toBe('connected'))
    page.engine.revoke('https://shop.example')
    await page.clock.advanceAsync(5_000)
    await page.until(() => expect(button.getState().status).toBe('not-connected'))
    const uses = page.network.uses.length
    await page.clock.advanceAsync(60_000)
    expect([page.network.uses.length, page.browser.stored.size, page.tab.links]).toEqual([uses, 0, []])
  })

  it('says after 10 s that Leuria is not running, and connects when it comes after all', async () => {
    await using page = await withBridge()
    page.network.down = true
    const button = connection(page.client)
    button.connect()
    await page.clock.advanceAsync(9_000)
    expect(button.getState().status).toBe('connecting')
    await page.clock.advanceAsync(2_000)
    expect(button.getState()).toMatchObject({ status: 'not-running', error: null })
    expect(button.getState().provider?.detail).toBe("Leuria isn't running on this computer, or isn't installed.")
    page.network.down = false
    await page.until(() => {
      page.clock.advance(750)
      expect(button.getState().status).toBe('connecting')
    })
    await page.engine.pairing.answer(true)
    await page.until(() => expect(button.getState().status).toBe('connected'))
  })

  it('says no in plain words', async () => {
    await using page = await withBridge()
    const button = connection(page.client)
    button.connect()
    await page.engine.pairing.answer(false)
    await page.until(() => expect(button.getState()).toMatchObject({ status: 'declined', error: { code: 'declined' } }))
    expect(button.getState().error?.message).toBe('You said no to this site in Leuria.')
  })

  it('gives up quietly when the visitor disconnects meanwhile, or another tab was faster', async () => {
    await using page = await withBridge()
    const button = connection(page.client)
    button.connect()
    button.disconnect()
    await settle()
    expect(button.getState()).toMatchObject({ status: 'not-connected', error: null })
    button.connect()
    const other = page.open()
    void other.connect()
    await page.engine.pairing.answer(true)
    await page.until(() => expect(button.getState()).toMatchObject({ status: 'connected', error: null }))
  })

  it('finds the engine gone, and back', async () => {
    await using page = await withBridge({ connected: true })
    const button = connection(page.client)
    expect(button.getState().status).toBe('checking')
    await page.until(() => expect(button.getState().status).toBe('connected'))
    await page.engine.crash()
    await page.clock.advanceAsync(5_000)
    await page.until(() => expect(button.getState().status).toBe('not-running'))
    await page.engine.start()
    button.retry()
    await page.until(() => expect(button.getState().status).toBe('connected'))
    expect(page.tab.links).toEqual([])
  })

  it('knows phones and tablets only once they are asked', async () => {
    await using page = await withBridge()
    page.tab.runsLeuria = false
    const button = connection(page.client)
    button.connect()
    await settle()
    expect(button.getState()).toMatchObject({ status: 'not-running', error: { code: 'unsupported_device' } })
    expect(page.tab.links).toEqual([])
  })
})
