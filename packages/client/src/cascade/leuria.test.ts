import { FakeBrowser, fakeClock, settle } from '@leuria/testing'
import { describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '../conversation/run-event.js'
import { LeuriaError } from '../errors.js'
import type { Provider } from '../provider/provider.js'
import type { ProviderNeeds } from './conversation-host.js'
import { createLeuria, type LeuriaOptions } from './leuria.js'
import { NoProviderError } from './no-provider-error.js'
import { embedderOf, OwnProvider, visitorsAi } from './own-provider.fixture.js'

const ORIGIN = 'https://shop.example'

function client(providers: Provider[], options: Partial<LeuriaOptions> = {}) {
  const clock = fakeClock()
  const tab = new FakeBrowser(ORIGIN).openTab()
  const leuria = createLeuria({ providers, clock, page: tab, ...options })
  const pick = (needs: Partial<ProviderNeeds> = {}): string =>
    leuria.pick({ capabilities: ['chat'], hasSchema: false, ...needs }).id
  const refusal = (needs: Partial<ProviderNeeds> = {}): NoProviderError => {
    try {
      pick(needs)
    } catch (error) {
      if (error instanceof NoProviderError) return error
    }
    throw new Error('A provider was found.')
  }
  const active = () => leuria.getState().active?.id
  return { leuria, clock, tab, pick, refusal, active }
}

describe('who answers', () => {
  it('is the first that is ready', () => {
    const [a, b] = [new OwnProvider('a', { status: 'unavailable' }), new OwnProvider('b')]
    const { pick, active } = client([a, b, new OwnProvider('c')])
    expect([pick(), active()]).toEqual(['b', 'b'])
    a.become({ status: 'ready' })
    expect([pick(), active()]).toEqual(['a', 'a'])
  })

  it('can do what is asked: one that cannot is passed over', () => {
    const { pick, refusal } = client([
      new OwnProvider('plain', { capabilities: ['chat'] }),
      new OwnProvider('shaped', { capabilities: ['chat', 'structured'] }),
      new OwnProvider('able', { capabilities: ['chat', 'tools', 'images'] }),
    ])
    expect(pick()).toBe('plain')
    expect(pick({ capabilities: ['chat', 'images'] })).toBe('able')
    expect(pick({ hasSchema: true })).toBe('shaped')
    expect(pick({ hasSchema: true, capabilities: ['chat', 'tools'] })).toBe('able')
    expect(refusal({ capabilities: ['chat', 'agent'] }).reasons.map(({ reason }) => reason)).toEqual([
      'lacks agent',
      'lacks agent',
      'lacks agent',
    ])
  })

  it('stays on the device when that is asked', () => {
    const { pick, refusal } = client([new OwnProvider('cloud'), new OwnProvider('here', {}, 'device')])
    expect(pick({ localOnly: true })).toBe('here')
    expect(refusal({ localOnly: true, provider: 'cloud' }).detail).toBe('cloud: not on this device')
  })

  it('is the one that the request names, or the first of several in their order', () => {
    const { pick } = client([
      new OwnProvider('a'),
      new OwnProvider('b'),
      new OwnProvider('c', { status: 'unavailable' }),
    ])
    expect([pick({ provider: 'b' }), pick({ provider: ['c', 'b', 'a'] })]).toEqual(['b', 'b'])
  })

  it('is nobody: the error says why, and whether the visitor can change that', () => {
    const { refusal } = client([visitorsAi(), new OwnProvider('server', { status: 'unavailable' })])
    expect(refusal()).toMatchObject({
      name: 'NoProviderError',
      code: 'no_provider',
      message: 'An AI has to be connected first.',
      needs: { capabilities: ['chat'], hasSchema: false },
      reasons: [
        { id: 'bridge', label: 'AI bridge', state: { status: 'needs-action' }, reason: 'needs-action' },
        { id: 'server', reason: 'waits for the visitor to choose it' },
      ],
      choices: [],
      actionable: true,
    })
    expect(refusal({ provider: 'server' })).toMatchObject({
      message: 'No AI is available right now.',
      reasons: [{ id: 'server', reason: 'unavailable' }],
      actionable: false,
    })
    expect(refusal({ provider: 'nobody' })).toMatchObject({ reasons: [], actionable: false })
  })
})

describe('what comes after an AI that asks first', () => {
  it('waits until the visitor chooses it; their own AI takes over once it is ready', () => {
    const own = visitorsAi()
    const { leuria, pick, refusal, active } = client([own, new OwnProvider('server'), new OwnProvider('other')])
    expect(active()).toBeUndefined()
    expect(leuria.getState().pending?.id).toBe('bridge')
    expect(leuria.getState().alternatives.map(({ id }) => id)).toEqual(['server', 'other'])
    expect(refusal().choices).toEqual([
      { id: 'server', label: 'AI server', locality: 'site' },
      { id: 'other', label: 'AI other', locality: 'site' },
    ])
    leuria.chooseInstead('other')
    expect([pick(), active()]).toEqual(['other', 'other'])
    own.become({ status: 'ready' })
    expect([pick(), active(), leuria.getState().alternatives]).toEqual(['bridge', 'bridge', []])
  })

  it('is not remembered by another page', () => {
    const providers = [visitorsAi(), new OwnProvider('server')]
    client(providers).leuria.chooseInstead('server')
    expect(client(providers).active()).toBeUndefined()
  })

  it('does not wait with fallback: auto, nor when the request names it', () => {
    const providers = [visitorsAi(), new OwnProvider('server')]
    expect(client(providers, { fallback: 'auto' }).pick()).toBe('server')
    expect(client(providers).pick({ provider: 'server' })).toBe('server')
  })

  it('never waits when it stands ahead of it', () => {
    const { pick, leuria } = client([new OwnProvider('server'), visitorsAi()])
    expect([pick(), leuria.getState().alternatives, leuria.getState().pending]).toEqual(['server', [], null])
  })

  it('is offered while there is something in it for the visitor', () => {
    const browser = new OwnProvider('browser', { status: 'unknown' })
    const { leuria } = client([visitorsAi(), browser])
    const offered = (status: 'unavailable' | 'needs-action' | 'downloading') => {
      browser.become({ status })
      return leuria.getState().alternatives.length
    }
    expect([leuria.getState().alternatives.length, offered('needs-action'), offered('downloading')]).toEqual([0, 1, 1])
    expect(offered('unavailable')).toBe(0)
  })

  it('is downloaded in the click that chooses it', async () => {
    const browser = new OwnProvider('browser', { status: 'needs-action', action: 'download' })
    const { leuria, active } = client([visitorsAi(), browser])
    const clicked = vi.spyOn(browser, 'onConnect')
    leuria.chooseInstead('browser')
    expect(clicked).toHaveBeenCalledOnce()
    await settle()
    expect(active()).toBe('browser')
    expect(() => leuria.chooseInstead('nobody')).toThrow(expect.objectContaining({ code: 'unknown_provider' }))
  })
})

describe('the state', () => {
  it('is the same object until something changed, and changes only in what did', () => {
    const [own, server] = [visitorsAi(), new OwnProvider('server')]
    const { leuria } = client([own, server])
    const heard = vi.fn()
    const undo = leuria.subscribe(heard)
    const before = leuria.getState()
    expect(leuria.getState()).toBe(before)
    own.become({ status: 'needs-action' })
    expect(heard).not.toHaveBeenCalled()
    own.become({ status: 'ready', action: undefined, model: 'Claude' })
    expect(heard).toHaveBeenCalledOnce()
    const after = leuria.getState()
    expect(after).not.toBe(before)
    expect(after.providers[1]).toBe(before.providers[1])
    expect(after.active).toBe(after.providers[0])
    own.become({ model: 'Another' })
    expect(leuria.getState().alternatives).toBe(after.alternatives)
    undo()
    own.become({ status: 'unavailable' })
    expect(heard).toHaveBeenCalledTimes(2)
  })

  it('describes each provider', () => {
    const own = visitorsAi()
    const { leuria } = client([Object.assign(own, { manage: () => undefined }), embedderOf('vectors')])
    expect(leuria.getState().providers).toEqual([
      {
        id: 'bridge',
        label: 'AI bridge',
        locality: 'device',
        status: 'needs-action',
        action: 'connect',
        capabilities: ['chat', 'tools'],
        offers: ['chat'],
        canConnect: true,
        canManage: false,
      },
      expect.objectContaining({ id: 'vectors', offers: ['embed'], canConnect: false, canManage: false }),
    ])
    own.become({ status: 'ready' })
    expect(leuria.getState().providers[0]).toMatchObject({ canConnect: false, canManage: true })
  })

  it('names what waits for the visitor only ahead of what answers', () => {
    const browser = new OwnProvider('browser', { status: 'needs-action', action: 'download' })
    const server = new OwnProvider('server')
    expect(client([browser, server]).leuria.getState()).toMatchObject({
      active: { id: 'server' },
      pending: { id: 'browser' },
    })
    expect(client([server, browser]).leuria.getState()).toMatchObject({ active: { id: 'server' }, pending: null })
  })

  it('refuses two providers with one id', () => {
    expect(() => client([new OwnProvider('a'), new OwnProvider('a')])).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    )
  })
})

describe('embedding', () => {
  it('is done by the first that is ready for it, and says by whom', async () => {
    const early = embedderOf('early', { status: 'unavailable' })
    const { leuria, pick } = client([new OwnProvider('chat'), early, embedderOf('late')])
    expect(await leuria.embed(['fox', 'bear'])).toEqual({
      vectors: [[3], [4]],
      model: 'model of late',
      provider: { id: 'late', label: 'AI late', locality: 'device' },
    })
    expect(pick()).toBe('chat')
    early.become({ status: 'ready' })
    expect((await leuria.embed(['fox'])).provider.id).toBe('early')
    expect((await leuria.embed(['fox'], { provider: 'late' })).provider.id).toBe('late')
  })

  it('is refused with the reasons where nobody can', async () => {
    const { leuria } = client([new OwnProvider('chat'), embedderOf('later', { status: 'needs-action' })])
    await expect(leuria.embed(['fox'])).rejects.toMatchObject({
      name: 'NoProviderError',
      reasons: [
        { id: 'chat', reason: 'only for chat' },
        { id: 'later', reason: 'needs-action' },
      ],
      actionable: true,
    })
  })

  it('has states of its own, and never waits for a choice', () => {
    const own = visitorsAi()
    own.offers = ['chat', 'embed']
    const { leuria } = client([own, embedderOf('page')])
    expect(leuria.getState()).toMatchObject({ embedder: { id: 'page' }, embedPending: { id: 'bridge' } })
    own.become({ status: 'ready', capabilities: ['chat'] })
    expect(leuria.getState()).toMatchObject({ embedder: { id: 'page' }, embedPending: null })
  })
})

describe('looking where they stand', () => {
  it('happens at once, whenever the page is looked at, and every 5 s while it is', async () => {
    const own = new OwnProvider('own')
    const { clock, tab, leuria } = client([own])
    expect(own.detections).toBe(1)
    for (const signal of ['focus', 'visible', 'show', 'online', 'hide'] as const) tab.signal(signal)
    expect(own.detections).toBe(4)
    clock.advance(4_999)
    expect(own.detections).toBe(4)
    clock.advance(1)
    expect(own.detections).toBe(5)
    tab.isVisible = false
    clock.advance(60_000)
    expect(own.detections).toBe(5)
    tab.isVisible = true
    clock.advance(5_000)
    expect(own.detections).toBe(6)
    leuria.destroy()
    tab.signal('focus')
    clock.advance(60_000)
    expect([own.detections, clock.pending, tab.listening]).toEqual([6, 0, 0])
  })

  it('is left to the page with autoDetect: false', async () => {
    const own = new OwnProvider('own')
    const { clock, tab, leuria } = client([own], { autoDetect: false })
    tab.signal('visible')
    clock.advance(60_000)
    expect(own.detections).toBe(0)
    await leuria.detect()
    expect(own.detections).toBe(1)
  })

  it('is not spoilt by a provider that fails', async () => {
    const broken = new OwnProvider('broken')
    broken.detect = () => {
      throw new Error('broken')
    }
    const fine = new OwnProvider('fine')
    await client([broken, fine]).leuria.detect()
    expect(fine.detections).toBe(2)
  })
})

describe('connecting', () => {
  it('connects what waits for the visitor, before connect returns', async () => {
    const own = visitorsAi()
    const { leuria } = client([own, new OwnProvider('server')])
    const clicked = vi.spyOn(own, 'onConnect')
    const connected = leuria.connect()
    expect(clicked).toHaveBeenCalledOnce()
    await connected
    expect(leuria.getState().active?.id).toBe('bridge')
    await leuria.connect()
    expect(clicked).toHaveBeenCalledOnce()
  })

  it('tries what is not running again when nothing else waits', async () => {
    const own = visitorsAi({ status: 'unavailable', action: undefined })
    const { leuria, active } = client([own])
    await leuria.connect()
    expect(active()).toBe('bridge')
  })

  it('disconnects, the named one or the first', async () => {
    const own = visitorsAi({ status: 'ready' })
    const { leuria } = client([own])
    await leuria.disconnect()
    expect(own.getState().status).toBe('needs-action')
    await expect(leuria.disconnect('nobody')).rejects.toMatchObject({ code: 'unknown_provider' })
  })

  it('rejects with an error of this package, and needs nobody to catch it', async () => {
    const own = visitorsAi()
    own.onConnect = () => Promise.reject(new Error('socket 7'))
    const { leuria } = client([own])
    void leuria.connect()
    await expect(leuria.connect()).rejects.toThrow('socket 7')
    expect(leuria.attempt('bridge')?.error).toMatchObject({ code: 'connect_failed' })
    expect(leuria.attempt('bridge')?.error).toBeInstanceOf(LeuriaError)
    await expect(leuria.connect('nobody')).rejects.toMatchObject({ code: 'unknown_provider' })
  })
})

describe('what belongs to a client', () => {
  it('hears the events of all runs, and closes all conversations', async () => {
    const { leuria, tab } = client([new OwnProvider('own')])
    const heard: RunEvent[] = []
    const undo = leuria.on((event) => heard.push(event))
    const event = { type: 'status', turnId: 't', at: 0, status: null } as const
    leuria.emit(event)
    undo()
    leuria.emit(event)
    expect(heard).toEqual([event])
    const [one, other] = [{ close: vi.fn() }, { close: vi.fn() }]
    leuria.register(one)
    leuria.register(other)()
    await leuria.closeAll()
    tab.signal('hide')
    expect([one.close.mock.calls.length, other.close.mock.calls.length]).toEqual([2, 0])
  })

  it('stays open when the page is left, if the page wants it so', () => {
    const { leuria, tab } = client([new OwnProvider('own')], { closeOnUnload: false })
    const conversation = { close: vi.fn() }
    leuria.register(conversation)
    tab.signal('hide')
    expect(conversation.close).not.toHaveBeenCalled()
    leuria.destroy()
    expect(conversation.close).toHaveBeenCalledOnce()
  })
})
