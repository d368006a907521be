/**
 * The protocol page's Stream events, sentence by sentence, through a whole engine over real connections; then what ours
 * adds: ids, resuming, heartbeats. Each test is named by its sentence. Order, replay and resuming under random drops are
 * in `packages/session-manager` (streams, resume.property, back-pressure).
 */
import { AgentError, type TurnEvent } from '@leuria/agent'
import { FINAL_EVENTS } from '@leuria/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SHOP } from './engine.fixture.js'
import { Stage } from './stage.fixture.js'

let stage: Stage
beforeEach(async () => {
  stage = await Stage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

/** A prepared session that nobody reads yet. */
async function prepare(
  body: unknown = {},
): Promise<{ id: string; act: (action: string, body?: unknown) => Promise<unknown> }> {
  const caller = { origin: SHOP, token: stage.site.token }
  const { json } = await stage.test.call('/session/prepare', { ...caller, body })
  const { sessionId: id } = json as { sessionId: string }
  return { id, act: (action, sent = {}) => stage.test.call(`/session/${id}/${action}`, { ...caller, body: sent }) }
}

/** A turn that the AI has got, and a stream that was there from the beginning. */
async function inTurn(prompt = 'go') {
  const session = await prepare()
  const stream = await stage.stream(session.id)
  await session.act('approve')
  await stream.next('ready')
  await session.act('prompt', { prompt })
  await expect.poll(() => stage.agent.sessions.at(-1)?.turns.length).toBe(1)
  return { session, stream, turn: stage.agent.turn }
}

describe('"GET /session/:id/stream answers 200 with Content-Type: text/event-stream and sends its headers at once."', () => {
  it.each(['pending', 'idle', 'ended'])('%s', async (when) => {
    const session = await prepare()
    if (when !== 'pending') await session.act('approve')
    if (when === 'ended') await session.act('close')
    const { status, headers } = await stage.stream(session.id)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': expect.stringContaining('no-cache') as unknown,
      'access-control-allow-origin': SHOP,
    })
  })

  it('is never compressed, whatever the reader would take', async () => {
    const { id } = await prepare()
    const { headers } = await stage.stream(id, { headers: [['Accept-Encoding', 'gzip, br']] })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers['cache-control']).toContain('no-transform')
  })
})

it('"Each event is: event: <name>, data: <JSON>"', async () => {
  const { stream, turn } = await inTurn()
  turn.text('two\nlines \u2028 "quoted" é🌱').end()
  await stream.next('turn_completed')
  const blocks = stream.text.split('\n\n').filter((block) => block !== '')
  for (const block of blocks) expect(block).toMatch(/^event: \w+\ndata: [^\n]+(\nid: \d+)?$/)
  expect(stream.dataOf('chunk')).toEqual(['two\nlines \u2028 "quoted" é🌱'])
})

describe('the table of events', () => {
  it('"webmcp_ready … { registrationToken, webmcpUrl }. Sent on approve, and again on every new stream once approved"', async () => {
    const session = await prepare()
    const first = await stage.stream(session.id)
    expect(first.names).toEqual([])
    await session.act('approve')
    const { data } = await first.next('webmcp_ready')
    const info = await stage.test.call(`/session/${session.id}`, { origin: SHOP, token: stage.site.token })
    const { registrationToken, webmcpUrl } = info.json as Record<string, string>
    expect(data).toEqual({ registrationToken, webmcpUrl })
    expect(await (await stage.stream(session.id)).next('webmcp_ready')).toEqual({ event: 'webmcp_ready', data })
  })

  it('"ready … null. The AI is up and idle. Sent after a prompt-less approve, and on a new stream to an idle session"', async () => {
    const session = await prepare()
    const first = await stage.stream(session.id)
    await session.act('approve')
    expect(await first.next('ready')).toEqual({ event: 'ready', data: null })
    const second = await stage.stream(session.id)
    await second.next('ready')
    expect(second.names).toEqual(['webmcp_ready', 'ready'])
  })

  it('"turn_start", "chunk", "thought", "tool_call", "permission", "log", "turn_completed": what the AI does, as the table has it', async () => {
    const { stream, turn } = await inTurn()
    const call = {
      type: 'tool_call',
      toolCallId: 'c1',
      title: 'Find',
      kind: 'search',
      toolName: 'mcp__webmcp__find',
    } as const
    const events: TurnEvent[] = [
      { type: 'thought', text: 'hm' },
      { ...call, status: 'in_progress' },
      { type: 'permission', toolName: 'Bash', allow: false },
      { ...call, status: 'completed' },
      { type: 'text', text: 'One ' },
      { type: 'text', text: 'mug.' },
    ]
    turn.emit(...events)
    await stream.next('chunk', 2)
    stage.agent.session.options.log('a line on stderr')
    await stage.pass(250)
    turn.end('max_tokens')
    await stream.next('turn_completed')
    const { type: _, ...data } = call
    expect(stream.events.slice(2).map(({ event, data: sent }) => [event, sent])).toEqual([
      ['turn_start', null],
      ['thought', 'hm'],
      ['tool_call', { ...data, status: 'in_progress' }],
      ['permission', { toolName: 'Bash', allow: false }],
      ['tool_call', { ...data, status: 'completed' }],
      ['chunk', 'One '],
      ['chunk', 'mug.'],
      ['log', 'a line on stderr'],
      // "text is the whole turn's text"; stopReason is additive.
      ['turn_completed', { text: 'One mug.', durationMs: 250, stopReason: 'max_tokens' }],
    ])
  })

  it.each([
    ['completed', 'close'],
    ['cancelled', 'cancel'],
  ] as const)('"completed, cancelled … null. The stream then ends": %s', async (name, action) => {
    const { session, stream } = await inTurn()
    await session.act(action)
    await stream.ended()
    expect(stream.events.at(-1)).toMatchObject({ event: name, data: null })
    expect(stream.state).toBe('ended')
  })

  it('"failed … An error message (string). The stream then ends"', async () => {
    const { stream, turn } = await inTurn()
    turn.fail(new AgentError('rate_limited', 'The service asks to slow down.'))
    await stream.ended()
    expect(stream.events.at(-1)).toMatchObject({ event: 'failed', data: 'The service asks to slow down.' })
    expect(stream.state).toBe('ended')
  })
})

describe('replay', () => {
  it('"A new stream to a live session first gets webmcp_ready (once approved), then ready (if idle), then the current turn\'s chunks so far. It then follows live events."', async () => {
    const { session, stream, turn } = await inTurn()
    turn.emit({ type: 'thought', text: 'hm' }).text('a', 'b')
    await stream.next('chunk', 2)
    const late = await stage.stream(session.id)
    await late.next('chunk', 2)
    expect(late.names).toEqual(['webmcp_ready', 'chunk', 'chunk'])
    turn.text('c').end()
    await late.next('turn_completed')
    expect(late.names.slice(3)).toEqual(['chunk', 'turn_completed'])
    expect(late.dataOf('chunk')).toEqual(['a', 'b', 'c'])
    await session.act('prompt', { prompt: 'more' })
    await stream.next('turn_start', 2)
    const between = await stage.stream(session.id)
    await between.next('webmcp_ready')
    expect(between.dataOf('chunk')).toEqual([])
  })

  it('"ready (if idle)": greets every new stream of an idle session, in this order', async () => {
    const { session, stream, turn } = await inTurn()
    turn.text('a').end()
    await stream.next('turn_completed')
    const late = await stage.stream(session.id)
    await late.next('turn_completed')
    expect(late.names).toEqual(['webmcp_ready', 'ready', 'turn_completed'])
  })

  it.each([
    ['completed', null],
    ['cancelled', null],
    ['failed', 'Broken.'],
  ] as const)(
    '"A stream opened on a session that has already ended gets its final event (completed, cancelled, or failed with the error) and closes.": %s',
    async (name, data) => {
      const { session, stream, turn } = await inTurn()
      if (name === 'failed') turn.fail(new AgentError('failed', 'Broken.'))
      else await session.act(name === 'completed' ? 'close' : 'cancel')
      await stream.ended()
      const late = await (await stage.stream(session.id)).ended()
      expect(late.events).toMatchObject([{ event: name, data }])
      expect(late.state).toBe('ended')
    },
  )

  it('goes to every reader of a session, and the reader of one session gets nothing of another', async () => {
    const { session, stream, turn } = await inTurn()
    const others = [await stage.stream(session.id), await stage.stream(session.id)]
    const stranger = await stage.stream((await prepare()).id)
    turn.text('a', 'b').end()
    for (const reader of [stream, ...others]) {
      await reader.next('turn_completed')
      expect(reader.dataOf('chunk')).toEqual(['a', 'b'])
    }
    expect(stranger.names).toEqual([])
  })
})

describe('resuming (additive)', () => {
  it('numbers every event but the greeting', async () => {
    const { session, stream, turn } = await inTurn()
    turn.emit({ type: 'thought', text: 'hm' }).text('a').end()
    await stream.next('turn_completed')
    await session.act('close')
    await stream.ended()
    const ids = stream.events.map(({ event, id }) => [event, id])
    expect(ids).toEqual([
      ['webmcp_ready', undefined],
      ['ready', undefined],
      ['turn_start', '1'],
      ['thought', '2'],
      ['chunk', '3'],
      ['turn_completed', '4'],
      ['completed', '5'],
    ])
  })

  it.each(['the parameter', 'the header'])('no event twice, none missing, by %s', async (how) => {
    const { session, stream, turn } = await inTurn()
    turn.text('a', 'b')
    await stream.next('chunk', 2)
    stream.cut()
    turn.text('c').emit({ type: 'thought', text: 'hm' })
    const lastEventId = stream.events.at(-1)?.id ?? ''
    const resumed = await stage.stream(
      session.id,
      how === 'the parameter' ? { lastEventId } : { headers: [['Last-Event-ID', lastEventId]] },
    )
    turn.text('d').end()
    await resumed.next('turn_completed')
    expect([...stream.events, ...resumed.events].map(({ event, id }) => id ?? event)).toEqual([
      ...['webmcp_ready', 'ready', '1', '2', '3'],
      ...['webmcp_ready', '4', '5', '6', '7'],
    ])
    expect(resumed.dataOf('turn_completed')).toMatchObject([{ text: 'abcd' }])
  })

  it('lets a browser send the header', async () => {
    const preflight = await stage.test.call('/session/x/stream', { method: 'OPTIONS', origin: SHOP })
    expect(preflight.headers['access-control-allow-headers']).toContain('Last-Event-ID')
  })

  it('makes nothing of an id that is none of the session’s', async () => {
    const { session, stream, turn } = await inTurn()
    turn.text('a')
    await stream.next('chunk')
    for (const lastEventId of ['99', '-1', 'x', '', '1e3', '%00']) {
      const resumed = await stage.stream(session.id, { lastEventId })
      await resumed.next('chunk')
      expect(resumed.names).toEqual(['webmcp_ready', 'chunk'])
    }
  })

  it('says every 15 s that the connection lives, as a comment', async () => {
    const { stream, turn } = await inTurn()
    await stage.pass(14_999)
    expect(stream.comments).toBe(0)
    await stage.pass(1)
    await stream.until(({ comments }) => comments === 1)
    await stage.pass(15_000)
    await stream.until(({ comments }) => comments === 2)
    turn.text('a')
    await stream.next('chunk')
    expect(stream.text).toContain(': heartbeat\n\n')
  })
})

// "A turn that ended while the page was away is learnt by the returning page."
describe('a page that returns', () => {
  const endings = {
    'in order': () => void stage.agent.turn.text('rest').end(),
    'at its limit': () => void stage.agent.turn.text('rest').end('max_tokens'),
    'by a refusal': () => void stage.agent.turn.text('rest').end('refusal'),
  }

  it.each(['with the last event id', 'without it'])(
    'learns that the turn has ended, however it did: %s',
    async (how) => {
      for (const end of Object.values(endings)) {
        const { session, stream, turn } = await inTurn()
        turn.text('half ')
        await stream.next('chunk')
        stream.cut()
        end()
        await stage.pass(20_000)
        const lastEventId = stream.events.at(-1)?.id ?? ''
        const back = await stage.stream(session.id, how === 'without it' ? {} : { lastEventId })
        const { id, data } = await back.next('turn_completed')
        expect(data).toMatchObject({ text: 'half rest' })
        expect(id).toBe(String(Number(lastEventId) + 2))
        const between = how === 'without it' ? [] : ['chunk']
        expect(back.names).toEqual(['webmcp_ready', 'ready', ...between, 'turn_completed'])
        await session.act('close')
      }
    },
  )

  it.each(['with the last event id', 'without it'])('learns that it was cancelled by another tab: %s', async (how) => {
    const { session, stream, turn } = await inTurn()
    turn.text('half')
    await stream.next('chunk')
    stream.cut()
    await session.act('cancel-turn')
    const back = await stage.stream(session.id, how === 'without it' ? {} : { lastEventId: '2' })
    expect((await back.next('turn_completed')).data).toMatchObject({ text: 'half', stopReason: 'cancelled' })
  })

  it.each(['with the last event id', 'without it'])('learns that the session has ended: %s', async (how) => {
    const { session, stream, turn } = await inTurn()
    turn.text('half')
    await stream.next('chunk')
    stream.cut()
    turn.fail(new AgentError('failed', 'Broken.'))
    await expect.poll(() => stage.test.engine.sessions.live().sessions).toBe(0)
    const back = await (await stage.stream(session.id, how === 'without it' ? {} : { lastEventId: '2' })).ended()
    expect(back.events.at(-1)).toMatchObject({ event: 'failed', data: 'Broken.' })
    expect(FINAL_EVENTS.filter((name) => back.names.includes(name))).toEqual(['failed'])
  })

  it('learns of two turns that it missed, with the last event id', async () => {
    const { session, stream, turn } = await inTurn()
    stream.cut()
    turn.text('one').end()
    await stage.pass(0)
    await session.act('prompt', { prompt: 'more' })
    await expect.poll(() => stage.turns).toBe(2)
    stage.agent.turn.text('two').end()
    await stage.pass(0)
    const back = await stage.stream(session.id, { lastEventId: '1' })
    await back.next('turn_completed', 2)
    expect(back.dataOf('turn_completed')).toMatchObject([{ text: 'one' }, { text: 'two' }])
  })
})
