import { fakeClock, pageScene, settle } from '@leuria/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BridgeClient, type BridgeEvent, type StartSessionOptions } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

const scene = (options: Parameters<typeof pageScene>[1] = {}) => pageScene((parts) => new BridgeClient(parts), options)

type Scene = Awaited<ReturnType<typeof scene>>

async function start(page: Scene, options: StartSessionOptions = {}) {
  const events: BridgeEvent[] = []
  const session = await page.client.startSession({ onEvent: (event) => events.push(event), ...options })
  const named = (name: BridgeEvent['event']) => events.filter(({ event }) => event === name).map(({ data }) => data)
  return { session, events, named }
}

/** Lets the next wait of a reconnect pass. */
async function retry(page: Scene, named: (name: BridgeEvent['event']) => unknown[], times: number): Promise<void> {
  await page.until(() => expect(named('reconnecting')).toHaveLength(times))
  page.clock.advance(8_000)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('starting a session', () => {
  it('opens the stream and the channel before it approves, with the token on every request', async () => {
    await using page = await scene()
    const tool = { name: 'greet', execute: () => 'hi' }
    await start(page, { prompt: 'say hi', tools: [tool], systemPrompt: 'Be brief.', maxTurns: 3 })
    const { id } = page.engine.session
    const lines = page.engine.log.entries.map((entry) =>
      entry.kind === 'request' ? `${entry.method} ${entry.path}` : '',
    )
    expect(lines.at(-1)).toBe(`POST /session/${id}/approve`)
    expect(lines).toContain(`GET /session/${id}/stream`)
    expect(page.engine.log.messages('registerTool').map(({ message }) => message)).toEqual([
      { type: 'registerTool', name: 'greet' },
    ])
    const token = page.engine.pairing.grants.get('https://shop.example')
    expect(new Set(page.engine.log.requests().map((request) => request.token))).toEqual(new Set([token]))
    expect(page.engine.log.requests('POST /session/prepare')[0]?.body).toEqual({
      prompt: 'say hi',
      systemPrompt: 'Be brief.',
      maxTurns: 3,
    })
  })

  it('sends nothing for tools that are not in order', async () => {
    await using page = await scene()
    const execute = () => null
    for (const tools of [
      [{ name: '', execute }],
      [
        { name: 'a', execute },
        { name: 'a', execute },
      ],
    ]) {
      await expect(page.client.startSession({ tools })).rejects.toMatchObject({ code: 'bad_request' })
    }
    expect(page.engine.log.entries).toEqual([])
  })

  it.each([
    ['the stream', /stream$/],
    ['approve', /approve$/],
  ])('closes the session when %s is refused', async (_, request) => {
    await using page = await scene()
    page.engine.faults.answers.push({ request, status: 500, body: { error: 'broken' } })
    const starting = page.client.startSession({ prompt: 'say hi' })
    await expect(starting).rejects.toMatchObject({ name: 'LeuriaError', status: 500, detail: 'broken' })
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it('closes the session when the tools cannot be registered', async () => {
    await using page = await scene()
    page.engine.faults.refuseChannels = 1
    const starting = page.client.startSession({ tools: [{ name: 'greet', execute: () => 'hi' }] })
    await expect(starting).rejects.toMatchObject({ name: 'LeuriaNotRunningError' })
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it.each(['prepare', 'stream', 'approve'])('closes the session when it is called off during %s', async (step) => {
    await using page = await scene()
    let release: () => void = () => undefined
    const until = new Promise<void>((resolve) => (release = resolve))
    page.engine.faults.holds.push({ request: new RegExp(`${step}$`), until })
    const abort = new AbortController()
    const starting = page.client.startSession({ prompt: 'hold', signal: abort.signal })
    const refused = expect(starting).rejects.toMatchObject({ name: 'AbortError' })
    await page.until(() => expect(page.engine.log.requests(new RegExp(`${step}$`))).toHaveLength(1))
    abort.abort()
    await refused
    release()
    await page.until(() => expect(page.engine.log.requests(/close$/)).toHaveLength(1))
    await page.until(() => expect(page.engine.live).toEqual([]))
    expect(page.engine.sessions.size).toBe(1)
  })

  it.each([
    ['the page is left', (page: Scene) => page.tab.signal('hide'), { name: 'AbortError' }],
    ['the site is disconnected', (page: Scene) => page.client.forget(), { name: 'AbortError' }],
    ['another tab disconnects the site', (page: Scene) => page.open().forget(), { name: 'LeuriaNotConnectedError' }],
  ])('ends, and does not hang, when %s meanwhile', async (_, interrupt, error) => {
    await using page = await scene()
    page.engine.faults.holds.push({ request: /stream$/, until: new Promise(() => undefined) })
    const starting = page.client.startSession({ tools: [{ name: 'greet', execute: () => 'hi' }] })
    const refused = expect(starting).rejects.toMatchObject(error)
    await page.until(() => expect(page.engine.log.requests(/stream$/)).toHaveLength(1))
    interrupt(page)
    await refused
    await settle()
    expect(page.clock.pending).toBeLessThanOrEqual(1) // A closing request may be on its way.
  })

  it('sends nothing when it was called off before', async () => {
    await using page = await scene()
    await expect(page.client.startSession({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(page.engine.log.entries).toEqual([])
  })

  it('says that Leuria is not running, and so does the state', async () => {
    await using page = await scene()
    await page.engine.crash()
    await expect(page.client.startSession()).rejects.toMatchObject({ name: 'LeuriaNotRunningError' })
    expect(page.client.getState().status).toBe('not-running')
  })

  it('does not wait for ever', async () => {
    const clock = fakeClock()
    const storage = new Map([['leuria:token:http://127.0.0.1:19570', 'token']])
    const fetch = () => new Promise<Response>(() => undefined)
    const client = new BridgeClient({
      clock,
      fetch,
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    })
    const failed = expect(client.startSession()).rejects.toMatchObject({ name: 'TimeoutError', code: 'timeout' })
    await clock.advanceAsync(60_000)
    await failed
  })

  it('keeps what happens before the first listener', async () => {
    await using page = await scene()
    const session = await page.client.startSession({ prompt: 'say all of it' })
    await page.until(() => expect(session.status).toBe('idle'))
    const events: string[] = []
    session.onEvent(({ event }) => events.push(event))
    session.onEvent(({ event }) => events.push(`second ${event}`))
    expect(events).toEqual(['turn_start', 'chunk', 'chunk', 'chunk', 'turn_completed'])
  })
})

describe('turns', () => {
  it('survive a listener that throws', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await using page = await scene()
    const onEvent = () => {
      throw new Error('a bug of the page')
    }
    const { session } = await start(page, { prompt: 'say one two', onEvent })
    const heard: string[] = []
    session.onEvent(({ event }) => heard.push(event))
    await page.until(() => expect(session.status).toBe('idle'))
    await session.prompt('say three')
    await page.until(() => expect(session.text).toBe('three'))
    await page.until(() => expect(heard).toContain('turn_completed'))
  })

  it('ignore events and fields that nobody knows', async () => {
    await using page = await scene({ extras: true })
    const { session, events } = await start(page, { prompt: 'say hi' })
    await page.until(() => expect(session.status).toBe('idle'))
    expect(events.map(({ event }) => event)).toEqual(['turn_start', 'chunk', 'turn_completed'])
    expect(JSON.stringify(events)).not.toContain('moonPhase')
  })

  it('pass on what the engine says beside the text', async () => {
    await using page = await scene()
    const { events } = await start(page)
    page.engine.session.emit('status', { text: 'Loading the model' })
    page.engine.session.emit('log', 'a line')
    page.engine.session.emit('permission', { toolName: 'bash', allow: false })
    page.engine.session.emit('chunk', 7)
    page.engine.session.emit('status', 'malformed')
    page.engine.session.emit('usage', { inputTokens: 3 })
    await page.until(() => expect(events.at(-1)).toEqual({ event: 'usage', data: { inputTokens: 3 } }))
    expect(events.map(({ event }) => event)).toEqual(['ready', 'status', 'log', 'usage'])
  })

  it('are given up by their signal: the turn is cancelled, the session stays', async () => {
    await using page = await scene()
    const { session } = await start(page)
    await page.until(() => expect(session.status).toBe('idle'))
    let release: () => void = () => undefined
    page.engine.faults.holds.push({ request: /prompt$/, until: new Promise<void>((resolve) => (release = resolve)) })
    const abort = new AbortController()
    const prompted = session.prompt('hold', { signal: abort.signal })
    const refused = expect(prompted).rejects.toMatchObject({ name: 'AbortError' })
    await page.until(() => expect(page.engine.log.requests(/prompt$/)).toHaveLength(1))
    abort.abort()
    await refused
    release()
    await page.until(() => expect(page.engine.log.requests(/cancel-turn$/)).toHaveLength(1))
    await page.until(() => expect(session.status).toBe('idle'))
  })

  it('are cancelled once more when the cancel came while the AI was starting', async () => {
    await using page = await scene()
    const turnStart = 'event: turn_start\ndata: null\n\n'
    page.engine.faults.rawStreams.push({ text: 'event: log\ndata: "starting"\n\n', then: 'drop' })
    page.engine.faults.rawStreams.push({ text: turnStart, then: 'hold' })
    const { session, named } = await start(page, { prompt: 'hold' })
    await page.until(() => expect(named('reconnecting')).toHaveLength(1))
    expect(session.status).toBe('starting')
    await session.cancelTurn()
    expect(page.engine.log.requests(/cancel-turn$/)).toHaveLength(1)
    await retry(page, named, 1)
    await page.until(() => expect(page.engine.log.requests(/cancel-turn$/)).toHaveLength(2))
  })

  it('are not cancelled when there is none', async () => {
    await using page = await scene()
    const { session } = await start(page)
    await page.until(() => expect(session.status).toBe('idle'))
    await session.cancelTurn()
    expect(page.engine.log.requests(/cancel-turn$/)).toEqual([])
  })

  it('are refused as the engine refuses them, and the session stays usable', async () => {
    await using page = await scene()
    const { session } = await start(page)
    await page.until(() => expect(session.status).toBe('idle'))
    await expect(session.prompt('  ')).rejects.toMatchObject({ name: 'LeuriaError', status: 400 })
    expect(session.status).toBe('idle')
    await session.prompt('say fine')
    await page.until(() => expect(session.text).toBe('fine'))
  })
})

describe('a dropped stream', () => {
  it('asks for what it missed by the last id it saw', async () => {
    await using page = await scene({ ids: true })
    const { session, named } = await start(page, { prompt: 'say one\nhold\nsay two' })
    await page.until(() => expect(session.text).toBe('one'))
    page.engine.cutConnections()
    page.engine.puppet.release()
    await page.until(() => expect(page.engine.session.status).toBe('idle'))
    await retry(page, named, 1)
    await page.until(() => expect(session.status).toBe('idle'))
    expect(named('chunk')).toEqual(['one', 'two'])
    expect(named('turn_completed')).toEqual([{ text: 'onetwo', durationMs: 1, stopReason: 'end_turn' }])
    expect(page.engine.log.requests(/stream$/).map(({ query }) => query)).toEqual(['', 'lastEventId=2'])
  })

  it('is cut anywhere without a chunk lost or doubled, with ids and without', async () => {
    for (const engine of [{ replayLastTurn: true }, { ids: true, replayCompletion: true }]) {
      await using page = await scene(engine)
      // The greeting is some 190 bytes; the cuts fall all over the turn that follows, and over its replay.
      for (let cut = 150; cut <= 480; cut += 15) {
        page.engine.faults.cutStreams.push(cut, 520 - cut)
        const { session, named } = await start(page, { prompt: 'say ha ha ha\nsay ha ha 🙂' })
        await page.until(() => {
          page.clock.advance(50)
          expect(session.status).toBe('idle')
        })
        expect(named('chunk').map(String).join('')).toBe('ha ha haha ha 🙂')
        expect([named('turn_start').length, named('turn_completed').length]).toEqual([1, 1])
        page.engine.faults.cutStreams.length = 0
        await session.close()
      }
    }
  })

  it('takes ready as the end of a turn once the engine confirms it and nothing more comes', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'say one\nhold' })
    await page.until(() => expect(session.text).toBe('one'))
    page.engine.cutConnections()
    page.engine.puppet.release()
    await page.until(() => expect(page.engine.session.status).toBe('idle'))
    await retry(page, named, 1)
    await page.until(() => expect(page.engine.log.requests(/^GET \/session\/[^/]+$/)).toHaveLength(1))
    await page.until(() => {
      page.clock.advance(250)
      expect(named('turn_completed')).toEqual([{ text: 'one', durationMs: expect.any(Number) as number }])
    })
    await session.prompt('say next')
    await page.until(() => expect(session.text).toBe('next'))
  })

  it('does not take ready for the end while the engine says that the turn runs', async () => {
    await using page = await scene()
    page.engine.faults.rawStreams.push({ text: 'event: turn_start\ndata: null\n\n', then: 'drop' })
    page.engine.faults.rawStreams.push({ text: 'event: ready\ndata: null\n\n', then: 'hold' })
    const { session, named } = await start(page, { prompt: 'hold' })
    await retry(page, named, 1)
    await page.until(() => expect(page.engine.log.requests(/^GET \/session\/[^/]+$/)).toHaveLength(1))
    await settle()
    await page.clock.advanceAsync(20_000)
    expect([session.status, named('turn_completed')]).toEqual(['running', []])
  })

  it.each([
    ['404', { status: 404, body: { error: 'Session not found' } }, { name: 'LeuriaError', status: 404 }],
    ['401', { status: 401, body: { error: 'no', code: 'not_paired' } }, { name: 'LeuriaNotConnectedError' }],
  ])('is not tried again after %s: the session is gone', async (_, answer, error) => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'hold' })
    await page.engine.puppet.held()
    page.engine.faults.answers.push({ request: /stream$/, ...answer })
    page.engine.cutConnections()
    await retry(page, named, 1)
    await page.until(() => expect(session.status).toBe('ended'))
    expect([session.outcome, session.error]).toEqual(['failed', expect.objectContaining(error)])
    expect(page.engine.log.requests(/stream$/)).toHaveLength(2)
    expect(page.client.getState().status).toBe(answer.status === 401 ? 'not-connected' : 'checking')
  })

  it('is tried again after a 500 and a silent 403: that is trouble, not the end', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'hold\nsay there' })
    await page.engine.puppet.held()
    page.engine.faults.answers.push(
      { request: /stream$/, status: 500, body: { error: 'x' } },
      { request: /stream$/, status: 403 },
    )
    page.engine.cutConnections()
    await retry(page, named, 1)
    await retry(page, named, 2)
    await retry(page, named, 3)
    await page.until(() => expect(named('reconnected')).toHaveLength(1))
    page.engine.puppet.release()
    await page.until(() => expect(session.text).toBe('there'))
  })

  it('counts failures anew after something new came', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'say go\nhold' })
    await page.until(() => expect(session.text).toBe('go'))
    for (let drop = 1; drop <= 8; drop += 1) {
      page.engine.cutConnections()
      await page.until(() => expect(named('reconnecting')).toHaveLength(drop))
      expect(named('reconnecting').at(-1)).toEqual({ link: 'stream', attempt: 1 })
      page.clock.advance(500)
      await page.until(() => expect(named('reconnected')).toHaveLength(drop))
      page.engine.session.emit('log', `line ${drop}`)
      await page.until(() => expect(named('log')).toHaveLength(drop))
    }
    expect(session.status).toBe('running')
  })

  it('gives up when every new connection drops at once, however it is accepted', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'hold' })
    await page.engine.puppet.held()
    page.engine.faults.rawStreams.push(
      ...Array.from({ length: 9 }, () => ({ text: ': hello\n\n', then: 'drop' }) as const),
    )
    page.engine.cutConnections()
    for (let drop = 1; drop <= 5; drop += 1) await retry(page, named, drop)
    await page.until(() => expect(session.status).toBe('ended'))
    expect(session.error).toMatchObject({ code: 'lost_connection' })
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it('holds a prompt back until it is open again', async () => {
    await using page = await scene({ replayLastTurn: true, replayCompletion: true })
    const { session, named } = await start(page, { prompt: 'say old' })
    await page.until(() => expect(session.status).toBe('idle'))
    page.engine.cutConnections()
    await page.until(() => expect(named('reconnecting')).toHaveLength(1))
    const prompted = session.prompt('say new')
    await settle()
    expect(page.engine.log.requests(/prompt$/)).toEqual([])
    page.clock.advance(500)
    await prompted
    await page.until(() => expect(named('turn_completed')).toHaveLength(2))
    expect(named('chunk')).toEqual(['old', 'new'])
  })

  it('finds the end of a session that ended meanwhile', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'hold' })
    await page.engine.puppet.held()
    page.engine.cutConnections()
    page.engine.session.finish('failed', 'The AI crashed.')
    await retry(page, named, 1)
    await page.until(() => expect(session.status).toBe('ended'))
    expect(named('failed')).toEqual(['The AI crashed.'])
    expect(session.error).toMatchObject({ code: 'session_failed', message: 'The AI stopped because of an error.' })
  })

  it('meets an engine that was restarted: the session is gone, the site is still connected', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'hold' })
    await page.engine.puppet.held()
    await page.engine.crash()
    await page.until(() => expect(named('reconnecting')).toHaveLength(1))
    page.clock.advance(500)
    await page.until(() => expect(named('reconnecting')).toHaveLength(2))
    await page.engine.start()
    page.clock.advance(1_000)
    await page.until(() => expect(session.status).toBe('ended'))
    expect(session.error).toMatchObject({ status: 404 })
    await start(page, { prompt: 'say back' })
    expect(page.engine.live).toHaveLength(1)
  })
})

describe('a silent stream', () => {
  it('is compared with what the engine says, and opened again when it missed something', async () => {
    await using page = await scene()
    page.engine.faults.rawStreams.push({ text: 'event: turn_start\ndata: null\n\n', then: 'hold' })
    const { session, named } = await start(page, { prompt: 'say done' })
    await page.until(() => expect(page.engine.session.status).toBe('idle'))
    expect(session.status).toBe('running')
    page.clock.advance(45_000)
    await page.until(() => expect(named('reconnected')).toHaveLength(1))
    await page.until(() => {
      page.clock.advance(250)
      expect(session.status).toBe('idle')
    })
  })

  it('is left alone while the engine says that the AI still works', async () => {
    await using page = await scene()
    const { named } = await start(page, { prompt: 'hold' })
    await page.engine.puppet.held()
    await page.until(() => expect(named('turn_start')).toHaveLength(1))
    page.clock.advance(45_000)
    await page.until(() => expect(page.engine.log.requests(/^GET \/session\/[^/]+$/)).toHaveLength(1))
    await settle()
    expect(page.engine.log.requests(/stream$/)).toHaveLength(1)
  })

  it('is opened again when its heartbeats stop', async () => {
    await using page = await scene({ extras: true })
    const { named } = await start(page, { prompt: 'hold' })
    await page.until(() => expect(named('turn_start')).toHaveLength(1))
    page.clock.advance(45_000)
    await page.until(() => expect(named('reconnected')).toHaveLength(1))
  })
})

describe('the end', () => {
  it('closes once, and nothing is left running', async () => {
    await using page = await scene()
    const { session, events } = await start(page, { tools: [{ name: 'greet', execute: () => 'hi' }] })
    await page.until(() => expect(session.status).toBe('idle'))
    await Promise.all([session.close(), session.close(), session.cancel()])
    expect(events.at(-1)).toEqual({ event: 'completed', data: null })
    expect(page.engine.log.requests(/(close|cancel)$/)).toHaveLength(1)
    await expect(session.prompt('say more')).rejects.toMatchObject({ code: 'ended' })
    await session.cancelTurn()
    await settle()
    expect(page.clock.pending).toBe(0)
    expect(page.tab.listening).toBe(2) // The client's own: tokens, and leaving the page.
  })

  it('is closed with keepalive, in the same breath, when the page is left', async () => {
    await using page = await scene()
    const { session } = await start(page, { prompt: 'hold' })
    page.network.uses.length = 0
    page.tab.signal('hide')
    expect(page.network.uses).toEqual([
      expect.objectContaining({ url: `${page.engine.url}/session/${session.id}/close` }),
    ])
    expect(page.network.uses[0]?.init).toMatchObject({ method: 'POST', keepalive: true })
    expect(session.status).toBe('ended')
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it('is left to the page with closeOnUnload: false', async () => {
    await using page = await pageScene((parts) => new BridgeClient({ ...parts, closeOnUnload: false }))
    const { session } = await start(page, { prompt: 'hold' })
    page.tab.signal('hide')
    expect(session.status).not.toBe('ended')
  })

  it('comes when the visitor revokes the site in the middle of a turn', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'hold' })
    await page.engine.puppet.held()
    page.engine.revoke('https://shop.example')
    await page.until(() => expect(session.status).toBe('ended'))
    expect(named('cancelled')).toEqual([null])
    await expect(page.client.startSession()).rejects.toMatchObject({
      name: 'LeuriaNotConnectedError',
      code: 'not_paired',
    })
    expect([page.client.getState().status, page.browser.stored.size]).toEqual(['not-connected', 0])
  })

  it('comes to every session when the site is disconnected', async () => {
    await using page = await scene()
    const { session } = await start(page)
    page.client.forget()
    expect([session.outcome, page.client.getState().status]).toEqual(['completed', 'not-connected'])
    await page.until(() => expect(page.engine.live).toEqual([]))
    expect(page.browser.stored.size).toBe(0)
  })
})

describe('after sleep', () => {
  it.each([
    ['the calendar jumped', (page: Scene) => page.clock.setDate(new Date(page.clock.date().getTime() + 3_600_000))],
    ['the page came back from the cache', (page: Scene) => page.tab.signal('show')],
  ])('opens the stream again when %s', async (_, wake) => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'say one\nhold\nsay two' })
    await page.until(() => expect(session.text).toBe('one'))
    wake(page)
    page.clock.advance(15_000)
    await page.until(() => expect(named('reconnected')).toHaveLength(1))
    page.engine.puppet.release()
    await page.until(() => expect(session.status).toBe('idle'))
    expect(named('chunk')).toEqual(['one', 'two'])
  })

  it('leaves a good stream alone when the page is merely looked at', async () => {
    await using page = await scene()
    const { named } = await start(page, { prompt: 'hold' })
    await page.until(() => expect(named('turn_start')).toHaveLength(1))
    page.tab.signal('visible')
    page.tab.signal('online')
    await settle()
    page.clock.advance(90_000)
    expect(named('reconnecting')).toEqual([])
  })

  it('tries at once, without counting it, when the page is looked at or the network comes back', async () => {
    await using page = await scene()
    const { session, named } = await start(page, { prompt: 'say one\nhold\nsay two' })
    await page.until(() => expect(session.text).toBe('one'))
    page.network.down = true
    page.engine.cutConnections()
    for (let count = 1; count <= 8; count += 1) {
      await page.until(() => expect(named('reconnecting')).toHaveLength(count))
      page.tab.signal(count % 2 === 0 ? 'visible' : 'online')
    }
    await page.until(() => expect(named('reconnecting')).toHaveLength(9))
    page.network.down = false
    page.tab.signal('visible')
    await page.until(() => expect(named('reconnected')).toHaveLength(1))
    expect(session.status).toBe('running')
  })
})
