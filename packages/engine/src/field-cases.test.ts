/**
 * Field cases of sessions and streams through a whole engine: a page over HTTP, a model server on a real socket or a
 * scripted AI. The same cases at the parts: packages/language-model (FC-12, FC-14), packages/session-manager (all).
 */
import { AgentError } from '@leuria/agent'
import { livedTime, type ModelExchange, settle } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SHOP } from './engine.fixture.js'
import { connectSite } from './site.fixture.js'
import { openModelEngine } from './model-engine.fixture.js'
import { Stage } from './stage.fixture.js'

/** The bounds of FC-14 and FC-17, in ms. */
const STOP_LIMIT_MS = 1_000
const DEATH_LIMIT_MS = 2_000

const sayChunk = (text: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`

// FC-12
describe('an error inside a 200 stream', () => {
  it.each([
    [
      'A',
      `${sayChunk('Part')}data: {"error":{"message":"engine overloaded","type":"server_error","code":503}}\n\n`,
      /engine overloaded/,
    ],
    [
      'B',
      'event: error\ndata: {"error_type":"context_length_exceeded","error_message":"prompt is 6000 tokens, window is 4096"}\n\n',
      /prompt is 6000 tokens, window is 4096/,
    ],
    [
      'C',
      '{"error":{"code":400,"message":"prompt is 6000 tokens, window is 4096"}}',
      /prompt is 6000 tokens, window is 4096/,
    ],
  ] as const)('is failed with the upstream’s words, never a short success: %s', async (...[, raw, words]) => {
    await using engine = await openModelEngine('test-model', { otherwise: [{ raw }] })
    const session = await (await connectSite(engine.test)).prepare({ prompt: 'hello' })
    await session.act('approve')
    const { data } = await session.until('failed')
    expect(data).toMatch(words)
    expect(session.events.map(({ event }) => event)).not.toContain('turn_completed')
    expect(await session.info()).toMatchObject({ status: 'failed', error: data })
    expect(engine.server.exchanges).toHaveLength(1)
  })
})

// FC-14
describe('stop reaches the model', () => {
  /** Sends a chunk every 100 ms until the engine hangs up. */
  async function talk(exchange: ModelExchange): Promise<void> {
    for (let count = 0; count < 600 && !exchange.closedEarly; count += 1) {
      await exchange.write(sayChunk(`${count} `))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  it.each(['cancel-turn', 'cancel', 'close'])(
    'within a second, and nothing of that turn comes afterwards: %s',
    async (action) => {
      await using engine = await openModelEngine('test-model', { answers: [talk], otherwise: [{ say: 'Again.' }] })
      const session = await (await connectSite(engine.test)).prepare({ prompt: 'count' })
      await session.act('approve')
      await session.until('chunk')
      using time = livedTime()
      expect(await session.act(action)).toMatchObject({ status: 200 })
      const chunks = () => session.events.filter(({ event }) => event === 'chunk').length
      await session.until(action === 'cancel-turn' ? 'turn_completed' : action === 'cancel' ? 'cancelled' : 'completed')
      const had = chunks()
      await (
        await engine.server.exchange(1)
      ).closed
      expect(time.ms).toBeLessThan(STOP_LIMIT_MS)
      expect(engine.server.exchanges[0]?.closedEarly).toBe(true)
      if (action !== 'cancel-turn') return
      expect(await session.act('prompt', { prompt: 'again' })).toMatchObject({ status: 200 })
      await engine.server.exchange(2)
      await expect
        .poll(() => session.events.at(-1))
        .toMatchObject({ event: 'turn_completed', data: { text: 'Again.' } })
      expect(chunks() - had).toBe(1)
    },
  )

  it('a page that merely closes its event stream does not stop the turn', async () => {
    await using engine = await openModelEngine('test-model', { answers: ['by_hand'] })
    const site = await connectSite(engine.test)
    const caller = { origin: SHOP, token: site.token }
    const prepared = await engine.test.call('/session/prepare', { ...caller, body: { prompt: 'hello' } })
    const { sessionId } = prepared.json as { sessionId: string }
    const gone = new AbortController()
    const reading = engine.test.call(`/session/${sessionId}/stream`, { ...caller, signal: gone.signal })
    await engine.test.call(`/session/${sessionId}/approve`, { ...caller, body: {} })
    const exchange = await engine.server.exchange(1)
    await exchange.write(sayChunk('half'))
    gone.abort()
    await reading.catch(() => undefined)
    await expect.poll(() => engine.test.engine.sessions.live().streams).toBe(0)
    expect(exchange.closedEarly).toBe(false)
    await exchange.write(`${sayChunk(' whole')}data: [DONE]\n\n`)
    exchange.end()
    const info = async () => (await engine.test.call(`/session/${sessionId}`, caller)).json
    await expect.poll(info).toMatchObject({ status: 'idle' })
  })
})

let stage: Stage
beforeEach(async () => {
  stage = await Stage.open({ onCancel: 'ignore' })
})
afterEach(() => stage[Symbol.asyncDispose]())

// FC-16
describe('late text after a cancelled turn', () => {
  it('A: stays out of the next turn, which the AI gets only after it has settled', async () => {
    const session = await stage.running('first')
    stage.agent.turn.text('one')
    await session.until('chunk')
    const [first] = stage.agent.session.turns
    await session.act('cancel-turn')
    expect(await session.act('prompt', { prompt: 'second' })).toMatchObject({
      status: 200,
      json: { status: 'running' },
    })
    first?.text('late-1')
    await stage.pass(200)
    first?.text('late-2')
    await stage.pass(200)
    expect(stage.turns).toBe(1)
    first?.end('end_turn')
    await expect.poll(() => stage.turns).toBe(2)
    stage.agent.turn.text('two').end()
    await expect.poll(() => session.events.filter(({ event }) => event === 'turn_completed').length).toBe(2)
    const told = session.events.filter(({ event }) => ['turn_start', 'chunk', 'turn_completed'].includes(event))
    expect(told.map(({ event, data }) => [event, data])).toMatchObject([
      ['turn_start', null],
      ['chunk', 'one'],
      ['turn_completed', { text: 'one', stopReason: 'cancelled' }],
      ['turn_start', null],
      ['chunk', 'two'],
      ['turn_completed', { text: 'two', stopReason: 'end_turn' }],
    ])
    expect(first?.cancelled).toBe(true)
  })

  it('B: an AI that never settles fails the session within 10 s', async () => {
    const session = await stage.running('first')
    await session.act('cancel-turn')
    await session.act('prompt', { prompt: 'second' })
    await stage.pass(9_999)
    expect(await session.info()).toMatchObject({ status: 'running' })
    await stage.pass(1)
    await session.until('failed')
    expect(await session.info()).toMatchObject({ status: 'failed', code: 'timed_out' })
    expect(stage.turns).toBe(1)
  })
})

// FC-17
describe('the agent dies', () => {
  /** What every death must lead to, for the page and for the origin's four places. */
  async function expectDeath(session: Awaited<ReturnType<Stage['running']>>): Promise<void> {
    await stage.pass(DEATH_LIMIT_MS)
    const { data } = await session.until('failed')
    expect(data).toEqual(expect.stringMatching(/\S/))
    expect(await session.info()).toMatchObject({ status: 'failed', error: data })
    expect(session.events.filter(({ event }) => event === 'turn_completed')).toEqual([])
    expect(await session.act('prompt', { prompt: 'hello?' })).toMatchObject({ status: 400 })
    for (let count = 0; count < 4; count += 1) await stage.site.prepare()
  }

  it.each([
    ['A1: with code 1', { clean: false, reason: 'The AI’s program ended unexpectedly (code 1).' }],
    ['A2: with code 0', { clean: true, reason: 'The AI ended.' }],
  ])('%s, in the middle of an answer', async (_, exit) => {
    const session = await stage.running()
    stage.agent.turn.text('half')
    await session.until('chunk')
    stage.agent.session.exit(exit)
    await expectDeath(session)
  })

  it('B: while the session is idle', async () => {
    const session = await stage.idle()
    stage.agent.session.exit({ clean: false, reason: 'The AI was killed.' })
    await settle()
    await expectDeath(session)
  })

  it('C: before it is there', async () => {
    await using other = await Stage.open({ start: new AgentError('unavailable', 'There is no such program.') })
    const session = await other.site.prepare({ prompt: 'hello' })
    await session.act('approve')
    expect((await session.until('failed')).data).toBe('There is no such program.')
    expect(await session.info()).toMatchObject({ status: 'failed', code: 'unavailable' })
    for (let count = 0; count < 4; count += 1) await other.site.prepare()
  })
})

// FC-19, the engine's side: what a client skips by count must come piece by piece as it was.
it('replays the same pieces again, however often they are alike', async () => {
  const session = await stage.running()
  stage.agent.turn.text('ha', 'ha')
  await expect.poll(() => session.events.filter(({ event }) => event === 'chunk').length).toBe(2)
  const first = await stage.stream(session.id)
  await first.next('chunk', 2)
  first.cut()
  stage.agent.turn.text('ha')
  const second = await stage.stream(session.id)
  await second.next('chunk', 3)
  stage.agent.turn.text('!').end()
  await second.next('turn_completed')
  expect(second.names).toEqual(['webmcp_ready', 'chunk', 'chunk', 'chunk', 'chunk', 'turn_completed'])
  expect(second.dataOf('chunk')).toEqual(['ha', 'ha', 'ha', '!'])
  expect(second.dataOf('turn_completed')).toMatchObject([{ text: 'hahaha!' }])
})
