/**
 * The protocol page's Sessions, sentence by sentence, through a whole engine. Each test is named by its sentence.
 * Every state × event, limits and races are in `packages/session-manager`; bodies' schemas in `packages/protocol`.
 */
import type { PrepareBody } from '@leuria/protocol'
import { scriptedAgent } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentChoice, AgentSource } from './agents/agent-source.js'
import { EVIL, SHOP } from './engine.fixture.js'
import { openModelEngine } from './model-engine.fixture.js'
import { connectSite } from './site.fixture.js'
import { Stage } from './stage.fixture.js'

const A_TEXT: unknown = expect.any(String)
const UUID: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/)

let stage: Stage
beforeEach(async () => {
  stage = await Stage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

const prepare = (body: unknown) => stage.test.call('/session/prepare', { origin: SHOP, token: stage.site.token, body })

it('"A session is one running AI for one page, with that page\'s tools."', async () => {
  const [one, other] = [await stage.idle(), await stage.idle()]
  await one.page({ tools: { add: { run: () => 1 } } })
  await other.page({ tools: { find: { run: () => 2 }, buy: { run: () => 3 } } })
  const tools = stage.agent.sessions.map(({ options }) => options.tools.listTools().map(({ name }) => name))
  expect(tools).toEqual([['add'], ['find', 'buy']])
})

describe('the table of requests', () => {
  it('"POST /session/prepare … 201 { sessionId, status: "pending_approval", registrationToken, webmcpUrl }"', async () => {
    const { status, json } = await prepare({})
    expect(status).toBe(201)
    expect(json).toEqual({
      sessionId: UUID,
      status: 'pending_approval',
      registrationToken: A_TEXT,
      webmcpUrl: stage.test.engine.url,
    })
    expect(stage.agent.sessions).toEqual([])
  })

  it('"{ prompt?, attachments?, systemPrompt?, maxTurns? }": all reach the AI', async () => {
    const attachments = [{ type: 'text', text: 'a mug', name: 'list.txt' }] as const
    const body: PrepareBody = { prompt: 'hello', attachments: [...attachments], systemPrompt: 'Be brief.', maxTurns: 7 }
    const session = await stage.site.prepare(body)
    await session.act('approve')
    await session.until('turn_start')
    await expect.poll(() => stage.turns).toBe(1)
    expect(stage.agent.session.options).toMatchObject({ systemPrompt: 'Be brief.', maxTurns: 7 })
    expect(stage.agent.turn.prompt).toMatchObject({ text: 'hello', attachments })
  })

  it('"GET /session/:id/stream … Server-sent events"', async () => {
    const { id } = await stage.site.prepare()
    const stream = await stage.stream(id)
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
  })

  it('"POST /session/:id/approve … Starts the AI and sends prompt, if any."', async () => {
    const session = await stage.site.prepare({ prompt: 'hello' })
    await session.act('approve')
    await session.until('turn_start')
    await expect.poll(() => stage.agent.sessions[0]?.turns.map(({ prompt }) => prompt.text)).toEqual(['hello'])
  })

  it('"Without a prompt the session goes idle and emits ready (a warm start)"', async () => {
    const session = await stage.site.prepare()
    await session.act('approve')
    await session.until('ready')
    expect(await session.info()).toMatchObject({ status: 'idle' })
    expect(stage.agent.session.turns).toEqual([])
  })

  it('"POST /session/:id/prompt … A follow-up turn on an idle session"', async () => {
    const session = await stage.running('first')
    stage.agent.turn.end()
    await session.until('turn_completed')
    await stage.ask(session, 'second')
    expect(stage.agent.session.turns.map(({ prompt }) => prompt.text)).toEqual(['first', 'second'])
  })

  it('"POST /session/:id/cancel-turn … Stops the current turn and keeps the session"', async () => {
    const session = await stage.running()
    await session.act('cancel-turn')
    expect(stage.agent.turn.cancelled).toBe(true)
    expect(await session.info()).toMatchObject({ status: 'idle' })
  })

  it('"POST /session/:id/cancel … Ends the session: cancelled"', async () => {
    const session = await stage.running()
    expect(await session.act('cancel')).toMatchObject({ json: { status: 'cancelled' } })
    await session.until('cancelled')
    expect(stage.agent.session.closed).toBe(true)
  })

  it('"POST /session/:id/close … Ends the session: completed"', async () => {
    const session = await stage.running()
    expect(await session.act('close')).toMatchObject({ json: { status: 'completed' } })
    await session.until('completed')
    expect(stage.agent.session.closed).toBe(true)
  })

  it('"GET /session/:id … { id, status, origin, createdAt, error?, registrationToken, webmcpUrl }"', async () => {
    const session = await stage.site.prepare()
    const { id, registrationToken } = session
    const info = { id, status: 'pending_approval', origin: SHOP, registrationToken, webmcpUrl: stage.test.engine.url }
    expect(await session.info()).toEqual({ ...info, createdAt: '2026-01-01T00:00:00.000Z' })
    await session.act('approve')
    await session.until('ready')
    stage.agent.session.exit({ clean: false, reason: 'The AI crashed.' })
    await session.until('failed')
    expect(await session.info()).toMatchObject({ status: 'failed', error: 'The AI crashed.', code: 'crashed' })
  })
})

it('"The POST actions answer 200 { sessionId, status }."', async () => {
  const session = await stage.site.prepare()
  const answers: unknown[] = []
  for (const [action, body] of [
    ['approve'],
    ['prompt', { prompt: 'go' }],
    ['cancel-turn'],
    ['close'],
    ['cancel'],
  ] as const) {
    if (action === 'prompt') await session.until('ready')
    answers.push(await session.act(action, body))
  }
  expect(answers).toMatchObject(
    ['running', 'running', 'idle', 'completed', 'completed'].map((status) => ({
      status: 200,
      json: { sessionId: session.id, status },
    })),
  )
})

describe('"An action the current status doesn\'t allow answers 400 with the reason."', () => {
  it('"approve twice"', async () => {
    const session = await stage.idle()
    expect(await session.act('approve')).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/approved already/) as unknown },
    })
    await session.act('close')
    expect(await session.act('approve')).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/has ended/) as unknown },
    })
  })

  it('"or prompt while a turn runs or after the AI has ended"', async () => {
    const session = await stage.running()
    expect(await session.act('prompt', { prompt: 'x' })).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/turn is running/) as unknown },
    })
    stage.agent.turn.end()
    await session.until('turn_completed')
    stage.agent.session.exit()
    await session.until('completed')
    expect(await session.act('prompt', { prompt: 'x' })).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/has ended/) as unknown },
    })
  })
})

describe('rules', () => {
  it('"A session is visible only to the origin that prepared it. Other origins get 404, as if it didn\'t exist."', async () => {
    const session = await stage.running()
    const evil = await connectSite(stage.test, EVIL)
    const ask = async (id: string, origin?: string, token?: string): Promise<unknown[]> => {
      const caller = { ...(origin === undefined ? {} : { origin }), ...(token === undefined ? {} : { token }) }
      const actions = ['approve', 'prompt', 'cancel-turn', 'cancel', 'close'].map((action) =>
        stage.test.call(`/session/${id}/${action}`, { ...caller, body: { prompt: 'x' } }),
      )
      const reads = ['', '/stream'].map((path) => stage.test.call(`/session/${id}${path}`, caller))
      return (await Promise.all([...actions, ...reads])).map(({ status, text }) => [status, text])
    }
    const unknown = await ask('00000000-0000-4000-8000-000000000000', EVIL, evil.token)
    expect(unknown).toEqual(Array(7).fill([404, '{"error":"Session not found"}']))
    expect(await ask(session.id, EVIL, evil.token)).toEqual(unknown)
    expect(await ask(session.id)).toEqual(unknown)
    expect(await session.info()).toMatchObject({ status: 'running' })
  })

  it('"An origin may hold 4 live sessions. The fifth prepare gets 400."', async () => {
    const sessions = [await stage.running(), await stage.idle(), await stage.site.prepare(), await stage.site.prepare()]
    expect(await prepare({})).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/4 live sessions/) as unknown },
    })
    await (await connectSite(stage.test, EVIL)).prepare()
    expect(sessions).toHaveLength(4)
  })

  it.each(['close', 'cancel'])('"Close sessions you no longer need.": %s makes room', async (action) => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => stage.site.prepare()))
    await sessions[2]?.act(action)
    expect((await prepare({})).status).toBe(201)
  })

  it('"prompt, when given, must be a non-empty string."', async () => {
    for (const prompt of ['', '   ', null, 7, {}, ['x']])
      expect(await prepare({ prompt })).toMatchObject({
        status: 400,
        json: { error: expect.stringMatching(/prompt/) as unknown },
      })
    const session = await stage.idle()
    for (const prompt of ['', ' \n ', null, 7, undefined])
      expect(await session.act('prompt', { prompt })).toMatchObject({ status: 400 })
    expect(await session.info()).toMatchObject({ status: 'idle' })
  })

  it('"maxTurns caps the AI\'s steps per turn. It is clamped between 1 and 50."', async () => {
    for (const maxTurns of [-3, 0, 1, 7.9, 50, 51, 1e9]) {
      const session = await stage.idle({ maxTurns })
      await session.act('close')
    }
    const given = stage.agent.sessions.map(({ options }) => options.maxTurns)
    expect(given).toEqual([1, 1, 1, 7, 50, 50, 50])
  })

  it('"The AI must start within 60 s, or the session fails."', async () => {
    await using slow = await Stage.open({ start: 'by_hand' })
    const session = await slow.site.prepare({ prompt: 'hello' })
    await session.act('approve')
    await expect.poll(() => slow.agent.openings.length).toBe(1)
    await slow.pass(59_999)
    expect(await session.info()).toMatchObject({ status: 'running' })
    await slow.pass(1)
    expect((await session.until('failed')).data).toMatch(/did not start within 60 seconds/)
    expect(await session.info()).toMatchObject({ status: 'failed', code: 'timed_out' })
  })

  it('"An ended session stays readable (GET, stream) for 5 minutes, then answers 404."', async () => {
    const session = await stage.idle()
    await session.act('close')
    await session.until('completed')
    await stage.pass(5 * 60_000 - 1)
    expect(await session.info()).toMatchObject({ status: 'completed' })
    expect((await (await stage.stream(session.id)).ended()).names).toEqual(['completed'])
    await stage.pass(1)
    expect(await session.info()).toEqual({ error: 'Session not found' })
    expect((await stage.stream(session.id)).status).toBe(404)
  })
})

describe('"The page cannot choose the AI."', () => {
  const ais = { one: scriptedAgent({ id: 'one' }), other: scriptedAgent({ id: 'other' }) }
  const idFor = (choice: AgentChoice | null): 'one' | 'other' => (choice?.agent === 'other' ? 'other' : 'one')
  /** The visitor's default is `one`. */
  const agents: AgentSource = {
    idFor,
    nameFor: idFor,
    find: (id) => ({ id, name: id, kind: 'agent' }),
    resolve: (choice) => Promise.resolve(ais[idFor(choice)]),
  }
  const opened = (): number[] => [ais.one.sessions.length, ais.other.sessions.length]

  // `leuria --agent` and `leuria sites use`: apps/cli/e2e. Whichever process makes the choice, this feed tells of it.
  it('"The visitor sets a default …, and may pick another AI or model per site" … "the engine cancels that site\'s sessions, and the next session uses the new choice."', async () => {
    await using chosen = await Stage.open({ engine: { agents } })
    const session = await chosen.idle({ agent: 'other', model: 'other' })
    const foreign = await (await connectSite(chosen.test, EVIL)).prepare()
    expect(opened()).toEqual([1, 0])
    await chosen.test.engine.grants.choose(SHOP, { agent: 'other' })
    await session.until('cancelled')
    expect(await session.info()).toMatchObject({
      status: 'cancelled',
      error: expect.stringMatching(/another AI/) as unknown,
    })
    expect(await foreign.info()).toMatchObject({ status: 'pending_approval' })
    const next = await chosen.idle()
    expect(opened()).toEqual([1, 1])
    await chosen.test.engine.grants.choose(SHOP, { model: { agent: 'other', id: 'small' } })
    await next.until('cancelled')
  })
})

describe('attachments', () => {
  const text = { type: 'text', text: 'x' }
  const image = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' }

  it('"Up to 10 per request, each one of:"', async () => {
    expect((await prepare({ attachments: Array(10).fill(text) })).status).toBe(201)
    expect(await prepare({ attachments: Array(11).fill(text) })).toMatchObject({ status: 400, json: { error: A_TEXT } })
    const session = await stage.idle()
    expect(await session.act('prompt', { prompt: 'x', attachments: Array(11).fill(text) })).toMatchObject({
      status: 400,
    })
    await session.act('prompt', { prompt: 'x', attachments: Array(10).fill(image) })
    await expect.poll(() => stage.agent.sessions[0]?.turns[0]?.prompt.attachments).toHaveLength(10)
  })

  it.each([
    ['no list', text],
    ['null', null],
    ['another type', [{ type: 'video', data: 'aGVsbG8=' }]],
    ['an image that is none by its type', [{ ...image, mimeType: 'text/html' }]],
    ['data that is no base64', [{ ...image, data: 'not base64!' }]],
    ['an image without data', [{ type: 'image', mimeType: 'image/png' }]],
    ['a text without text', [{ type: 'text' }]],
    ['a text that is a number', [{ type: 'text', text: 7 }]],
  ])(
    '"{ type: "image", mimeType: "image/…", data: <base64>, name? }" and "{ type: "text", text, name?, mimeType? }": not %s',
    async (_, attachments) => {
      expect(await prepare({ attachments })).toMatchObject({ status: 400, json: { error: A_TEXT } })
    },
  )

  /** What a model of a service is sent with these attachments. */
  async function sentTo(model: 'eye' | 'blind', attachments: unknown): Promise<string> {
    await using engine = await openModelEngine(model, {
      models: [{ id: 'eye', capabilities: { vision: true } }, 'blind'],
    })
    const site = await connectSite(engine.test)
    const session = await site.prepare({ prompt: 'look', attachments, systemPrompt: 'You sell mugs.' })
    await session.act('approve')
    await session.until('turn_completed')
    return JSON.stringify(engine.server.exchanges[0]?.body.messages)
  }

  it('"Images go to the AI as image blocks when it accepts them. Otherwise they are replaced by a short note."', async () => {
    expect(await sentTo('eye', [image])).toContain('data:image/png;base64,aGVsbG8=')
    const blind = await sentTo('blind', [image])
    expect(blind).not.toContain('aGVsbG8=')
    expect(blind).toMatch(/image/i)
  })

  it('"Text files are wrapped in <file name="…">…</file>."', async () => {
    const sent = await sentTo('blind', [{ type: 'text', text: 'three mugs', name: 'stock.txt' }])
    expect(sent).toContain('<file name=\\"stock.txt\\">three mugs</file>')
  })

  it('"systemPrompt replaces the agent\'s coding-assistant preset."', async () => {
    expect(await sentTo('blind', [])).toContain('{"role":"system","content":"You sell mugs."}')
  })
})

describe('lifecycle', () => {
  it('"cancel-turn stops the turn in progress. The session stays usable, and the next prompt works as usual."', async () => {
    const session = await stage.running('first')
    stage.agent.turn.text('half')
    await session.until('chunk')
    await session.act('cancel-turn')
    expect((await session.until('turn_completed')).data).toMatchObject({ text: 'half', stopReason: 'cancelled' })
    await stage.ask(session, 'second')
    stage.agent.turn.text('whole').end()
    await expect.poll(() => session.events.at(-1)?.data).toMatchObject({ text: 'whole', stopReason: 'end_turn' })
  })
})

describe('sessions that nobody cares for (additive)', () => {
  it('end as cancelled with the reason in error, at times that can be configured', async () => {
    const limits = { sessions: { unapprovedMs: 1_000, unattendedMs: 5_000 } }
    await using quick = await Stage.open({ engine: { limits } })
    const ask = (path: string, body?: unknown) =>
      quick.test.call(path, { origin: SHOP, token: quick.site.token, ...(body === undefined ? {} : { body }) })
    const make = async (): Promise<string> =>
      ((await ask('/session/prepare', {})).json as { sessionId: string }).sessionId
    const never = await make()
    const idle = await make()
    await ask(`/session/${idle}/approve`, {})
    await quick.pass(999)
    expect((await ask(`/session/${never}`)).json).toMatchObject({ status: 'pending_approval' })
    await quick.pass(1)
    expect((await ask(`/session/${never}`)).json).toMatchObject({
      status: 'cancelled',
      error: expect.stringMatching(/not approved within/) as unknown,
      code: 'reclaimed',
    })
    await quick.pass(3_999)
    expect((await ask(`/session/${idle}`)).json).toMatchObject({ status: 'idle' })
    await quick.pass(1)
    expect((await ask(`/session/${idle}`)).json).toMatchObject({ status: 'cancelled', code: 'reclaimed' })
  })
})
