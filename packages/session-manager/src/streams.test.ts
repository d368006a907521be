// Stream events of the protocol page, and how a reader resumes (issue C 3).
import { FINAL_EVENTS } from '@leuria/protocol'
import { FakeSink, settle } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { NOTHING, Scene, type SceneOptions, SHOP, type SessionScene } from './scene.fixture.js'

let scene: Scene
function begin(options?: SceneOptions): Scene {
  scene = new Scene(options)
  return scene
}
afterEach(async () => expect(await scene.leftovers()).toEqual(NOTHING))

/** Name and number of each event; events without a number have none. */
const marks = ({ events }: FakeSink): string[] => events.map(({ event, id }) => (id ? `${event} ${id}` : event))

describe('the text of a stream', () => {
  it('is "event: <name>", "data: <JSON>" and an empty line; ids come after, and only where there is one', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    scene.agent.turn.text('a\r\nb')
    await settle()
    const tokens = { registrationToken: session.channel.registrationToken, webmcpUrl: 'http://127.0.0.1:19570' }
    expect(sink.writes).toEqual([
      `event: webmcp_ready\ndata: ${JSON.stringify(tokens)}\n\n`,
      'event: chunk\ndata: "a\\r\\nb"\nid: 2\n\n',
    ])
  })

  it('survives texts that look like the stream itself', async () => {
    const nasty = ['\n\nevent: failed\ndata: "x"\nid: 9\n\n', ': comment', '\nid: 2\n\n', '\u2028\ud800', '\0']
    const session = await begin().prepare().running()
    scene.agent.turn.text(...nasty)
    await settle()
    const { sink } = session.read('3')
    const fresh = session.read().sink
    expect(fresh.events.slice(1).map(({ data }) => data)).toEqual(nasty)
    expect(sink.events.slice(1).map(({ data }) => data)).toEqual(nasty.slice(2))
  })

  it('has its headers sent at once, before there is anything to say', () => {
    const { sink } = begin().prepare().read()
    expect(sink.state).toBe('open')
    expect(sink.writes).toEqual([])
  })

  it('sends a tick’s first words at once and joins the rest into one write for each reader, serialised once', async () => {
    const session = await begin().prepare().running()
    const [one, two] = [session.read().sink, session.read().sink]
    for (let tick = 1; tick <= 2; tick += 1) {
      scene.agent.turn.text(...Array.from({ length: 500 }, (_, at) => `t${at} `))
      await settle()
      expect(one.writes).toHaveLength(1 + 2 * tick)
      expect(one.writes.at(-2)).toMatch(/^event: chunk\ndata: "t0 "\nid: \d+\n\n$/)
      expect(one.writes.at(-1)).toBe(two.writes.at(-1))
      expect(one.events).toHaveLength(1 + 500 * tick)
    }
  })

  it('sends with a tick’s first words whatever came before them in the tick, in order', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    const { turn } = scene.agent
    turn.emit({ type: 'status', text: 'Loading.' }, { type: 'thought', text: 'Hm.' }, { type: 'text', text: 'Yes.' })
    await settle()
    expect(sink.names).toEqual(['webmcp_ready', 'status', 'thought', 'chunk'])
    expect(sink.writes).toHaveLength(3)
  })

  it('sends a burst in pieces, in order', async () => {
    const script = [
      { type: 'flood', text: 'word ', count: 10_000 },
      { type: 'turn_end', stopReason: 'end_turn' },
    ] as const
    const session = await begin({ turns: [script] })
      .prepare()
      .idle()
    const { sink } = session.read()
    session.prompt('go')
    await settle()
    expect(sink.text).toBe('word '.repeat(10_000))
    // 64 Ki characters and the event that fills them; the turn's end holds its 50,000 characters once more.
    expect(Math.max(...sink.writes.map(({ length }) => length))).toBeLessThan(2 ** 16 + 51_000)
    expect(sink.events.slice(2).map(({ id }) => Number(id))).toEqual(Array.from({ length: 10_002 }, (_, at) => at + 1))
  })

  it('has a heartbeat comment every 15 s, from one timer for all streams', async () => {
    begin()
    const sinks = [scene.prepare(), scene.prepare()].flatMap((session) => [session.read().sink, session.read().sink])
    const timers = scene.clock.pending
    expect(timers).toBe(2 + 1) // two approvals, one heartbeat
    await scene.clock.advanceAsync(14_999)
    expect(sinks.map(({ reader }) => reader.comments)).toEqual([0, 0, 0, 0])
    await scene.clock.advanceAsync(1)
    expect(sinks.map(({ reader }) => reader.comments)).toEqual([1, 1, 1, 1])
    await scene.clock.advanceAsync(30_000)
    expect(sinks.map(({ reader }) => reader.comments)).toEqual([3, 3, 3, 3])
    expect(sinks.flatMap(({ events }) => events)).toEqual([])
  })

  it('uses no timer while text flows', async () => {
    const session = await begin().prepare().running()
    session.read()
    const { pending } = scene.clock
    for (let count = 0; count < 20; count += 1) {
      scene.agent.turn.text('x')
      await settle()
      expect(scene.clock.pending).toBe(pending)
    }
  })
})

describe('which events come when', () => {
  it('webmcp_ready: on approve, and again on every new stream once approved', async () => {
    const session = begin().prepare()
    const early = session.read().sink
    expect(early.names).toEqual([])
    session.approve()
    expect(early.names).toEqual(['webmcp_ready'])
    const { registrationToken, webmcpUrl } = session.info()
    expect(early.events[0]).toEqual({ event: 'webmcp_ready', data: { registrationToken, webmcpUrl } })
    expect(session.read().sink.names).toEqual(['webmcp_ready'])
    await settle()
    expect(session.read().sink.names).toEqual(['webmcp_ready', 'ready'])
  })

  it('ready: after a prompt-less approve, and on a new stream to an idle session', async () => {
    const session = begin().prepare()
    const early = session.read().sink
    await session.idle()
    expect(early.events.at(-1)).toEqual({ event: 'ready', data: null })
    expect(session.read().sink.events.at(-1)).toEqual({ event: 'ready', data: null })
  })

  it.each(['completed', 'cancelled', 'failed'] as const)('%s ends the stream', async (name) => {
    const session = await begin().prepare().idle()
    const { sink } = session.read()
    if (name === 'completed') session.close()
    else if (name === 'cancelled') session.cancel()
    else scene.agent.session.exit({ clean: false, reason: 'Gone.' })
    await settle()
    expect(FINAL_EVENTS).toContain(name)
    expect(sink.events.at(-1)).toEqual({ id: '1', event: name, data: name === 'failed' ? 'Gone.' : null })
    expect(sink.state).toBe('ended')
  })

  it('a stream opened on a session that has already ended gets its final event and closes', async () => {
    begin()
    const [done, stopped, broken] = [await scene.prepare().running(), scene.prepare(), await scene.prepare().idle()]
    scene.agent.session.exit({ clean: false, reason: 'Gone.' })
    done.close()
    stopped.cancel()
    await settle()
    for (const [session, event, data] of [
      [done, 'completed', null],
      [stopped, 'cancelled', null],
      [broken, 'failed', 'Gone.'],
    ] as const) {
      const { sink } = session.read()
      expect(sink.events).toMatchObject([{ event, data }])
      expect(sink.state).toBe('ended')
    }
    expect(scene.manager.live().streams).toBe(0)
  })

  it('a stream opened while the session is ending gets its final event when it is out', async () => {
    const session = await begin({ onClose: 'hang' }).prepare().idle()
    session.cancel()
    const { sink } = session.read()
    expect([sink.names, sink.state]).toEqual([[], 'open'])
    await scene.clock.advanceAsync(1_000)
    expect([sink.names, sink.state]).toEqual([['cancelled'], 'ended'])
    await scene.clock.advanceAsync(10_000)
  })
})

describe('a new stream without a last id', () => {
  it('replays the current turn’s chunks, and only those, then follows', async () => {
    const session = await begin().prepare().running()
    scene.agent.turn.text('old').end()
    await settle()
    session.prompt('next')
    await settle()
    scene.agent.turn.text('a').emit({ type: 'thought', text: 'hm' }).text('b', 'c')
    await settle()
    const { sink } = session.read()
    expect(marks(sink)).toEqual(['webmcp_ready', 'chunk 5', 'chunk 7', 'chunk 8'])
    expect(sink.writes.length).toBeLessThanOrEqual(2)
    scene.agent.turn.emit({ type: 'thought', text: 'oh' }).text('d').end()
    await settle()
    expect(marks(sink).slice(4)).toEqual(['thought 9', 'chunk 10', 'turn_completed 11'])
  })

  it('keeps the chunks as they were: clients skip by count what they already have', async () => {
    const session = await begin().prepare().running()
    const early = session.read().sink
    scene.agent.turn.text('one ', 'two ', 'three')
    await settle()
    const chunks = (sink: FakeSink) => sink.events.filter(({ event }) => event === 'chunk')
    expect(chunks(session.read().sink)).toEqual(chunks(early))
  })

  it('learns of a turn that ended while the page was away', async () => {
    const session = await begin().prepare().running()
    const { detach } = session.read()
    scene.agent.turn.text('Hel')
    await settle()
    detach()
    scene.agent.turn.text('lo').end()
    await settle()
    const { sink } = session.read()
    expect(marks(sink)).toEqual(['webmcp_ready', 'ready', 'turn_completed 4'])
    expect(sink.events.at(-1)?.data).toMatchObject({ text: 'Hello', stopReason: 'end_turn' })
  })

  it('gets no old turn’s end once the next turn runs', async () => {
    const session = await begin().prepare().running()
    scene.agent.turn.text('one').end()
    await settle()
    session.prompt('two')
    await settle()
    expect(session.read().sink.names).toEqual(['webmcp_ready'])
  })
})

describe('a stream with a last id', () => {
  const eight = [
    'turn_start 1',
    'chunk 2',
    'thought 3',
    'chunk 4',
    'turn_completed 5',
    'turn_start 6',
    'chunk 7',
    'chunk 8',
  ]

  async function twoTurns(options?: SceneOptions): Promise<SessionScene> {
    const session = await begin(options).prepare().running()
    scene.agent.turn.text('a').emit({ type: 'thought', text: 'hm' }).text('b').end()
    await settle()
    session.prompt('next')
    await settle()
    scene.agent.turn.text('c', 'd')
    await settle()
    return session
  }

  it('gets the greeting and then exactly what came after it, whatever that is', async () => {
    const session = await twoTurns()
    for (let last = 0; last <= 8; last += 1)
      expect(marks(session.read(String(last)).sink)).toEqual(['webmcp_ready', ...eight.slice(last)])
  })

  it('learns of a turn that ended while the page was away', async () => {
    const session = await twoTurns()
    scene.agent.turn.end()
    await settle()
    expect(marks(session.read('8').sink)).toEqual(['webmcp_ready', 'ready', 'turn_completed 9'])
    expect(marks(session.read('9').sink)).toEqual(['webmcp_ready', 'ready'])
  })

  it('gets what it missed on an ended session too, then the final event', async () => {
    const session = await twoTurns()
    session.close()
    await settle()
    expect(marks(session.read('7').sink)).toEqual(['chunk 8', 'completed 9'])
    for (const last of ['8', '9', '10', undefined]) expect(marks(session.read(last).sink)).toEqual(['completed 9'])
    const whole = session.read('0').sink
    expect(marks(whole)).toEqual([...eight, 'completed 9'])
    expect(whole.state).toBe('ended')
  })

  it.each(['9', '99', '-1', '1.5', 'x', '', '0x1', '9'.repeat(30)])(
    'that is none of the session’s counts as none: %j',
    async (last) => {
      const session = await twoTurns()
      expect(marks(session.read(last).sink)).toEqual(['webmcp_ready', 'chunk 7', 'chunk 8'])
    },
  )

  it('that is older than what is kept gets everything that is kept, from where a turn begins', async () => {
    const session = await begin({ limits: { keepChars: 150 } })
      .prepare()
      .idle()
    for (let turn = 0; turn < 5; turn += 1) {
      session.prompt('go')
      await settle()
      scene.agent.turn.text('x'.repeat(50)).end()
      await settle()
    }
    // Kept: the last two turns always, older ones while they fit into 150 characters; one doesn't.
    const kept = ['turn_start 10', 'chunk 11', 'turn_completed 12', 'turn_start 13', 'chunk 14', 'turn_completed 15']
    for (const last of ['0', '1', '8', '9'])
      expect(marks(session.read(last).sink)).toEqual(['webmcp_ready', 'ready', ...kept])
    expect(marks(session.read('10').sink)).toEqual(['webmcp_ready', 'ready', ...kept.slice(1)])
  })

  it.each([
    ['fits exactly', 0, '1'],
    ['is a character too large', 1, '4'],
  ])('finds a turn before the last two when it %s', async (_, over, first) => {
    const size = 'event: turn_start\ndata: null\nid: 1\n\n'.length + 'event: chunk\ndata: "x"\nid: 2\n\n'.length
    const end = 'event: turn_completed\ndata: {"text":"x","durationMs":0,"stopReason":"end_turn"}\nid: 3\n\n'.length
    const session = await begin({ limits: { keepChars: size + end - over } })
      .prepare()
      .idle()
    for (let turn = 0; turn < 3; turn += 1) {
      session.prompt('go')
      await settle()
      scene.agent.turn.text('x').end()
      await settle()
    }
    expect(session.read('0').sink.events[2]?.id).toBe(first)
  })

  it('finds older turns while they are small', async () => {
    const session = await begin().prepare().idle()
    for (let turn = 0; turn < 5; turn += 1) {
      session.prompt('go')
      await settle()
      scene.agent.turn.text('x').end()
      await settle()
    }
    expect(session.read('1').sink.events).toHaveLength(2 + 14)
  })
})

describe('readers', () => {
  it('several of one session get every live event', async () => {
    const session = await begin().prepare().running()
    const sinks = [session.read(), session.read(), session.read()].map(({ sink }) => sink)
    scene.agent.turn.text('a').end()
    await settle()
    for (const sink of sinks) expect(sink.names).toEqual(['webmcp_ready', 'chunk', 'turn_completed'])
  })

  it('that leave get nothing more and are not counted', async () => {
    const session = await begin().prepare().running()
    const { sink, detach } = session.read()
    detach()
    detach()
    scene.agent.turn.text('a')
    await settle()
    expect(sink.names).toEqual(['webmcp_ready'])
    expect(scene.manager.live().streams).toBe(0)
    expect(sink.state).toBe('open')
  })

  it('whose sink throws are gone; the others and the AI don’t notice', async () => {
    const session = await begin().prepare().running()
    const bad = session.read().sink
    const good = session.read().sink
    bad.write = () => {
      throw new Error('EPIPE')
    }
    scene.agent.turn.text('a', 'b')
    await settle()
    scene.agent.turn.text('c').end()
    await settle()
    expect(good.text).toBe('abc')
    expect(scene.manager.live().streams).toBe(1)
  })

  it('whose sink throws at once leave nothing behind', async () => {
    const session = await begin().prepare().idle()
    const sink = new FakeSink()
    sink.open = () => {
      throw new Error('headers sent')
    }
    scene.manager.stream(SHOP, session.id, { sink })
    expect(scene.manager.live().streams).toBe(0)
    expect(sink.writes).toEqual([])
  })

  it('that come in the middle of a tick get each event once', async () => {
    const session = await begin().prepare().idle()
    const early = session.read().sink
    session.prompt('go')
    const late = session.read().sink
    await settle()
    scene.agent.turn.text('a')
    await settle()
    expect(marks(early).slice(2)).toEqual(['turn_start 1', 'chunk 2'])
    expect(marks(late)).toEqual(['webmcp_ready', 'chunk 2'])
  })
})
