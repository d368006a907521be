/**
 * What every kind of AI must do, as a suite that each adapter runs from its own tests.
 * How an AI is brought to play a scene is the adapter's test's business; what must come out is decided here.
 */
import {
  type AgentAdapter,
  AgentError,
  type AgentSession,
  type OpenOptions,
  type Prompt,
  type TurnEvent,
} from '@leuria/agent'
import { TOOL_NAME_PREFIX } from '@leuria/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultTests } from './agent-fault-contract.js'
import { type FakePageTools, fakePageTools, waitingTool } from './fake-page-tools.js'

/**
 * - `answer`: answers in text, without a tool
 * - `call_tool`: calls the tool `find_items` (one required string, `query`), then answers in text
 * - `silence`: says nothing until it is cancelled
 * - `talk`: says something, then nothing more until it is cancelled
 * - `flood`: says `FLOOD.text`, `FLOOD.count` times as fast as it can
 * - `garbage`: says `GARBAGE` in ways that its protocol doesn't have, and answers or fails
 * - `die`: says something, then is gone: its program crashed, its connection broke
 * - `deaf`: says something, takes no notice of a cancel, and never answers
 * - `leave`: answers, then ends by itself in order
 */
export type AdapterScene = 'answer' | 'call_tool' | 'silence' | 'talk' | 'flood' | 'garbage' | 'die' | 'deaf' | 'leave'

/** One adapter with what belongs to it in a test. */
export interface AdapterUnderTest {
  adapter: AgentAdapter
  /** Makes the AI play `scene` in the turn that follows, and returns the prompt for it. */
  play(scene: AdapterScene): Prompt
  /** Ends what `setup` started; the sessions are closed already. */
  close?(): Promise<void>
}

export interface AdapterContractOptions {
  /** Scenes this AI can't play: their tests are left out. */
  without?: readonly AdapterScene[]
  /** An adapter whose AI isn't there: `open` must fail with words for people. */
  unavailable?: () => Promise<AgentAdapter> | AgentAdapter
  /** An AI that is started, or asked what it has, and never answers: the start must end with its session. */
  hanging?: () => Promise<AdapterUnderTest>
}

/** Longest wait for anything in this suite; nothing should come near it. */
export const LIMIT_MS = 20_000

/** What scene `flood` says. */
export const FLOOD = { text: 'drop ', count: 5_000 } as const
/** What scene `garbage` says; nobody may hear it. */
export const GARBAGE = 'zzgarbage'

/** The tool that scene `call_tool` uses. */
export const CONTRACT_TOOL = {
  description: 'Finds items by words, for example "blue mug".',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
} as const

/** Everything a turn reports, until it ends. */
export async function collectTurn(turn: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

/** The answer's text, joined. */
export function textOf(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}

export const openOptions = (tools: FakePageTools): OpenOptions & { tools: FakePageTools } => ({
  sessionId: 'contract',
  tools,
  mcp: { url: 'http://127.0.0.1:9/webmcp/mcp', token: 'unused' },
  signal: new AbortController().signal,
  log: () => undefined,
})

export function expectOneEnd(events: readonly TurnEvent[], stopReason: string): void {
  expect(events.filter((event) => event.type === 'turn_end')).toEqual([{ type: 'turn_end', stopReason }])
  expect(events.at(-1)?.type).toBe('turn_end')
  expect(events.every((event) => event.type !== 'text' || event.text !== '')).toBe(true)
}

/** What a test of this suite works with; filled before each test. */
export interface Stage {
  subject: AdapterUnderTest
  tools: FakePageTools
  open(tools?: FakePageTools): Promise<AgentSession>
}

/** Runs the suite. `setup` is called before each test. */
export function agentAdapterContract(
  name: string,
  setup: () => Promise<AdapterUnderTest>,
  options: AdapterContractOptions = {},
): void {
  const without = new Set(options.without)
  describe(`agent adapter contract: ${name}`, { timeout: 2 * LIMIT_MS }, () => {
    const stage = {} as Stage
    const sessions: AgentSession[] = []
    beforeEach(async () => {
      stage.subject = await setup()
      stage.tools = fakePageTools({ find_items: { ...CONTRACT_TOOL, run: () => '[{"name":"Celadon mug"}]' } })
      stage.open = async (tools = stage.tools) => {
        const session = await stage.subject.adapter.open(openOptions(tools))
        sessions.push(session)
        return session
      }
    })
    afterEach(async () => {
      await Promise.all(sessions.splice(0).map(async (session) => session.close()))
      await stage.subject.close?.()
    })

    startTests(stage, options)
    if (!without.has('answer')) answerTests(stage)
    if (!without.has('call_tool')) toolTests(stage)
    for (const scene of ['silence', 'talk'] as const) if (!without.has(scene)) cancelTests(stage, scene)
    faultTests(stage, options)
  })
}

function startTests(stage: Stage, options: AdapterContractOptions): void {
  it('has an id and a name for people', () => {
    expect(stage.subject.adapter.id).toMatch(/^[a-z0-9][\w:./@-]*$/i)
    expect(stage.subject.adapter.name.trim()).not.toBe('')
  })

  it('settles when the session ends while it is being opened', async () => {
    const { adapter } = stage.subject
    const signal = AbortSignal.abort()
    const session = await adapter.open({ ...openOptions(stage.tools), signal }).catch(() => null)
    await session?.close()
  })

  const { unavailable } = options
  if (unavailable === undefined) return
  it('fails at the start with words for people when the AI is not there', async () => {
    const adapter = await unavailable()
    const error: unknown = await adapter.open(openOptions(stage.tools)).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(AgentError)
    if (!(error instanceof AgentError)) return
    expect(['unavailable', 'signed_out', 'failed', 'model_missing']).toContain(error.code)
    expect(error.message).toMatch(/ .*\.$/)
  })
}

function answerTests(stage: Stage): void {
  it('streams an answer and ends the turn exactly once', async () => {
    const session = await stage.open()
    const events = await collectTurn(session.prompt(stage.subject.play('answer'), AbortSignal.timeout(LIMIT_MS)))
    expectOneEnd(events, 'end_turn')
    expect(textOf(events).trim()).not.toBe('')
  })

  it('answers without any tools', async () => {
    const session = await stage.open(fakePageTools())
    const events = await collectTurn(session.prompt(stage.subject.play('answer'), AbortSignal.timeout(LIMIT_MS)))
    expectOneEnd(events, 'end_turn')
  })

  it('runs one turn after the other', async () => {
    const session = await stage.open()
    for (let turn = 0; turn < 3; turn += 1) {
      const events = await collectTurn(session.prompt(stage.subject.play('answer'), AbortSignal.timeout(LIMIT_MS)))
      expectOneEnd(events, 'end_turn')
    }
  })

  it('ends a turn that was cancelled before it began', async () => {
    const session = await stage.open()
    const events = await collectTurn(session.prompt(stage.subject.play('answer'), AbortSignal.abort()))
    expectOneEnd(events, 'cancelled')
    expect(textOf(events)).toBe('')
  })

  it('closes twice without complaint, and never reports that as an exit', async () => {
    const session = await stage.open()
    let exits = 0
    void session.exited.then(() => (exits += 1))
    await Promise.all([session.close(), session.close()])
    await session.close()
    expect(exits).toBe(0)
  })
}

function toolTests(stage: Stage): void {
  const turn = async (tools: FakePageTools): Promise<TurnEvent[]> => {
    const session = await stage.open(tools)
    return collectTurn(session.prompt(stage.subject.play('call_tool'), AbortSignal.timeout(LIMIT_MS)))
  }
  const statuses = (events: readonly TurnEvent[]): string[] =>
    events.flatMap((event) => (event.type === 'tool_call' && event.status !== undefined ? [event.status] : []))

  it('calls a page tool, reports it and answers', async () => {
    const events = await turn(stage.tools)
    expect(stage.tools.calls).toHaveLength(1)
    expect(stage.tools.calls[0]).toMatchObject({
      name: 'find_items',
      arguments: { query: expect.any(String) as string },
    })
    expect(statuses(events)).toEqual(['in_progress', 'completed'])
    const reports = events.filter((event) => event.type === 'tool_call')
    expect(new Set(reports.map((event) => event.toolCallId)).size).toBe(1)
    expect(reports[0]?.toolName).toBe(`${TOOL_NAME_PREFIX}find_items`)
    expectOneEnd(events, 'end_turn')
    expect(textOf(events).trim()).not.toBe('')
  })

  it('reports a failed tool call and still ends the turn', async () => {
    const failing = () => ({ ok: false, code: 'page_error', error: 'The catalog is offline.' }) as const
    const events = await turn(fakePageTools({ find_items: { ...CONTRACT_TOOL, run: failing } }))
    expect(statuses(events)).toEqual(['in_progress', 'failed'])
    expectOneEnd(events, 'end_turn')
  })

  it('stops a turn in the middle of a tool call, and the page is told', async () => {
    const tools = fakePageTools({ find_items: { ...CONTRACT_TOOL, ...waitingTool } })
    const session = await stage.open(tools)
    const cancel = new AbortController()
    const events = collectTurn(session.prompt(stage.subject.play('call_tool'), cancel.signal))
    const call = await tools.called(1)
    cancel.abort()
    expectOneEnd(await events, 'cancelled')
    expect(call.signal?.aborted).toBe(true)
    await expectNextTurn(stage, session)
  })
}

/** A session stays usable after a cancelled turn. */
export async function expectNextTurn(stage: Stage, session: AgentSession): Promise<void> {
  const events = await collectTurn(session.prompt(stage.subject.play('answer'), AbortSignal.timeout(LIMIT_MS)))
  expectOneEnd(events, 'end_turn')
}

function cancelTests(stage: Stage, scene: 'silence' | 'talk'): void {
  /** Starts the scene and waits until it has got as far as it goes by itself. */
  const begin = async (session: AgentSession, signal: AbortSignal) => {
    const turn = session.prompt(stage.subject.play(scene), signal)[Symbol.asyncIterator]()
    const events: TurnEvent[] = []
    const rest = async (): Promise<TurnEvent[]> => {
      for (let next = await turn.next(); next.done !== true; next = await turn.next()) events.push(next.value)
      return events
    }
    while (scene === 'talk' && textOf(events) === '') {
      const next = await turn.next()
      if (next.done === true) throw new Error('The scene ended by itself.')
      events.push(next.value)
    }
    return rest
  }

  it(`stops a turn (${scene}) and stays usable`, async () => {
    const session = await stage.open()
    const cancel = new AbortController()
    const rest = (await begin(session, cancel.signal))()
    await new Promise((resolve) => setImmediate(resolve))
    cancel.abort()
    expectOneEnd(await rest, 'cancelled')
    await expectNextTurn(stage, session)
  })

  it(`ends a running turn (${scene}) when it is closed`, async () => {
    const session = await stage.open()
    const rest = (await begin(session, new AbortController().signal))()
    await session.close()
    const ended = await rest.then(
      (events) => events.filter((event) => event.type === 'turn_end').length,
      (error: unknown) => error instanceof AgentError,
    )
    expect([1, true]).toContain(ended)
    await session.close()
  })
}
