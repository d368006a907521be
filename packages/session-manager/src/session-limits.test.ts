// Every limit of sessions, on both sides.
import { fakePageTools, settle } from '@leuria/testing'
import { SESSION_LIMITS } from './index.js'
import { afterEach, describe, expect, it } from 'vitest'
import { BLOG, NOTHING, Scene, type SceneOptions } from './scene.fixture.js'

const MINUTE = 60_000

let scene: Scene
function begin(options?: SceneOptions): Scene {
  scene = new Scene(options)
  return scene
}
afterEach(async () => expect(await scene.leftovers()).toEqual(NOTHING))

it('holds the page’s numbers and this engine’s own', () => {
  begin()
  expect(SESSION_LIMITS).toEqual({
    maxLive: 4,
    startMs: MINUTE,
    readableMs: 5 * MINUTE,
    maxEnded: 100,
    unapprovedMs: 10 * MINUTE,
    unattendedMs: 30 * MINUTE,
    settleMs: 10_000,
    stopWaitMs: 1_000,
    exitGraceMs: 500,
    heartbeatMs: 15_000,
    maxStreams: 32,
    maxBehindChars: 1_048_576,
    stallMs: 1_000,
    maxTurnChars: 8_388_608,
    keepChars: 262_144,
    maxLogChars: 262_144,
  })
})

describe('an origin may hold 4 live sessions', () => {
  it('the fifth prepare gets 400, whatever state the four are in', async () => {
    begin()
    await scene.prepare().running()
    await scene.prepare().idle()
    scene.prepare().approve()
    const last = scene.prepare()
    expect(() => scene.prepare()).toThrow('There are 4 live sessions already: close one first.')
    expect(scene.channels.size).toBe(4)
    scene.prepare({}, BLOG)
    last.close()
    scene.prepare()
  })
})

describe('an ended session', () => {
  it('stays readable for 5 minutes, then answers 404', async () => {
    const session = await begin().prepare().idle()
    session.close()
    await scene.clock.advanceAsync(5 * MINUTE - 1)
    expect(session.info().status).toBe('completed')
    expect(session.read().sink.names).toEqual(['completed'])
    await scene.clock.advanceAsync(1)
    expect(() => session.info()).toThrow('Session not found')
    expect(() => session.read()).toThrow('Session not found')
    expect(() => session.cancel()).toThrow('Session not found')
    expect(scene.clock.pending).toBe(0)
  })

  it('makes room earlier when its origin has ended a hundred more', () => {
    begin({ limits: { maxEnded: 3 } })
    const sessions = [1, 2, 3, 4].map(() => {
      const session = scene.prepare()
      session.cancel()
      return session
    })
    expect(() => sessions[0]?.info()).toThrow('Session not found')
    expect(sessions[1]?.status).toBe('cancelled')
    expect(scene.manager.live()).toMatchObject({ ended: 3 })
  })
})

describe('a forgotten session', () => {
  it('ends when it is not approved for 10 minutes, and says so', async () => {
    const session = begin().prepare()
    session.read()
    session.channel.isConnected = true
    await scene.clock.advanceAsync(10 * MINUTE - 1)
    expect(session.status).toBe('pending_approval')
    await scene.clock.advanceAsync(1)
    expect(session.info()).toMatchObject({
      status: 'cancelled',
      error: 'The session was not approved within 10 minutes.',
      code: 'reclaimed',
    })
    expect(session.channel.closed).toBe('The session was not approved within 10 minutes.')
  })

  it('ends when it is idle with no stream and no channel for 30 minutes', async () => {
    const session = await begin().prepare().idle()
    await scene.clock.advanceAsync(30 * MINUTE - 1)
    expect(session.status).toBe('idle')
    await scene.clock.advanceAsync(1)
    expect(session.info()).toMatchObject({
      status: 'cancelled',
      error: 'Nobody was connected to the session for 30 minutes.',
      code: 'reclaimed',
    })
    expect(scene.agent.running).toBe(0)
  })

  it('counts from the moment the last stream closes', async () => {
    const session = await begin().prepare().idle()
    const [first, second] = [session.read(), session.read()]
    await scene.clock.advanceAsync(60 * MINUTE)
    first.detach()
    await scene.clock.advanceAsync(60 * MINUTE)
    second.detach()
    second.detach()
    await scene.clock.advanceAsync(30 * MINUTE - 1)
    expect(session.status).toBe('idle')
    await scene.clock.advanceAsync(1)
    expect(session.status).toBe('cancelled')
  })

  it('is not one whose channel is connected; it is counted from a minute after that at the latest', async () => {
    const session = await begin().prepare().idle()
    session.channel.isConnected = true
    await scene.clock.advanceAsync(120 * MINUTE)
    session.channel.isConnected = false
    await scene.clock.advanceAsync(29 * MINUTE)
    expect(session.status).toBe('idle')
    await scene.clock.advanceAsync(2 * MINUTE)
    expect(session.status).toBe('cancelled')
  })

  it('is not one whose AI is still talking; a turn in which nothing happens is', async () => {
    const session = await begin().prepare().running()
    for (let count = 0; count < 6; count += 1) {
      await scene.clock.advanceAsync(20 * MINUTE)
      scene.agent.turn.text('still here')
    }
    await settle()
    expect(session.status).toBe('running')
    await scene.clock.advanceAsync(31 * MINUTE)
    expect(session.info()).toMatchObject({ status: 'cancelled', code: 'reclaimed' })
  })

  it('can be given other times', async () => {
    begin({ limits: { unapprovedMs: MINUTE, unattendedMs: 90_000 } })
    const [waiting, idle] = [scene.prepare(), await scene.prepare().idle()]
    await scene.clock.advanceAsync(89_999)
    expect(waiting.info().error).toBe('The session was not approved within 1 minute.')
    expect(idle.status).toBe('idle')
    await scene.clock.advanceAsync(1)
    expect(idle.info().error).toBe('Nobody was connected to the session for 90 seconds.')
  })

  it('does not lock its site out: four forgotten tabs make room', async () => {
    begin()
    for (let count = 0; count < 4; count += 1) scene.prepare()
    await scene.clock.advanceAsync(10 * MINUTE)
    for (let count = 0; count < 4; count += 1) await scene.prepare().idle()
    await scene.clock.advanceAsync(30 * MINUTE)
    for (let count = 0; count < 4; count += 1) scene.prepare()
  })
})

describe('the size of a turn', () => {
  it('is bounded: one character more fails the session in plain words', async () => {
    const turn = 'event: turn_start\ndata: null\nid: 1\n\n'.length + 'event: chunk\ndata: ""\nid: 2\n\n'.length
    for (const [maxTurnChars, status] of [
      [turn + 100, 'running'],
      [turn + 99, 'failed'],
    ] as const) {
      const session = await begin({ limits: { maxTurnChars } }).prepare().running()
      scene.agent.turn.text('x'.repeat(100))
      await settle()
      expect(session.status).toBe(status)
      if (status === 'failed') expect(session.info().error).toBe('The AI’s answer is longer than the engine can keep.')
      expect(await scene.leftovers()).toEqual(NOTHING)
    }
  })

  it('bounds an AI’s debugging lines without failing it: long lines are cut, too many are left out until the next turn', async () => {
    const session = await begin({ limits: { maxLogChars: 4_010 } })
      .prepare()
      .running()
    const { sink } = session.read()
    const log = scene.requests[0]?.log ?? (() => undefined)
    log('x'.repeat(4_000))
    log('y'.repeat(9))
    log('zz')
    log('never')
    await settle()
    scene.agent.turn.end()
    await settle()
    session.prompt('next')
    log('n'.repeat(4_001))
    await settle()
    expect(sink.events.filter(({ event }) => event === 'log').map(({ data }) => data)).toEqual([
      'x'.repeat(4_000),
      'y'.repeat(9),
      '(More lines follow; they are left out until the next turn.)',
      `${'n'.repeat(4_000)}…`,
    ])
    session.close()
    log('after the end')
    await settle()
    expect(sink.names.at(-1)).toBe('completed')
  })
})

describe('a session’s streams', () => {
  it('are 32 at most; another one gets 429 and its sink is left alone', async () => {
    const session = await begin().prepare().idle()
    const streams = Array.from({ length: 32 }, () => session.read())
    expect(() => session.read()).toThrow('A session may have at most 32 streams at once.')
    streams[0]?.detach()
    session.read()
  })
})

it('gives the AI the very tools of the page', async () => {
  const session = begin().prepare()
  expect(session.channel.tools.listTools()).toEqual(fakePageTools().listTools())
  await session.idle()
  expect(scene.agent.session.options.tools).toBe(session.channel.tools)
})
