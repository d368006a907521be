/** Turns: what is reported, how they are stopped, and that nothing of one gets into another. */
import { AgentError, type AgentSession, type TurnEvent } from '@leuria/agent'
import { type AcpStep, collectTurn, settle, textOf } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { unknownAgent } from './index.js'
import { scene } from './scripted.fixture.js'
import { TURN_STEPS } from './turn-steps.js'

const never = (): AbortSignal => new AbortController().signal
const run = (session: AgentSession, text: string, signal = never()): Promise<TurnEvent[]> =>
  collectTurn(session.prompt({ text }, signal))

async function failureOf(work: Promise<unknown>): Promise<AgentError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentError)) throw new Error('It did not fail with an AgentError.')
  return error
}

it('what each message means in each phase', () => {
  expect(TURN_STEPS).toEqual({
    open: {
      speech: 'report',
      tool: 'report',
      usage: 'report',
      permission: 'decide',
      abort: 'begin_cancel',
      answer: 'end',
      failure: 'end_failed',
    },
    cancelling: {
      speech: 'drop',
      tool: 'report',
      usage: 'report',
      permission: 'answer_cancelled',
      abort: 'drop',
      answer: 'end_cancelled',
      failure: 'end_failed',
    },
    over: {
      speech: 'drop',
      tool: 'drop',
      usage: 'drop',
      permission: 'decide',
      abort: 'drop',
      answer: 'drop',
      failure: 'drop',
    },
  })
})

describe('what a turn reports', () => {
  const update = (sessionUpdate: string, fields: object): AcpStep => ({ update: { sessionUpdate, ...fields } })
  const eventsOf = async (...steps: AcpStep[]): Promise<TurnEvent[]> => scene({ prompts: [steps] }).turn()

  it('text, thoughts, and the step of a plan that is being worked on', async () => {
    const plan = update('plan', {
      entries: [
        { content: 'Look around', status: 'completed', priority: 'low' },
        { content: 'Find the mug', status: 'in_progress', priority: 'low' },
      ],
    })
    expect(await eventsOf(plan, { think: 'Hm.' }, { say: 'A mug.' })).toEqual([
      { type: 'status', text: 'Find the mug' },
      { type: 'thought', text: 'Hm.' },
      { type: 'text', text: 'A mug.' },
      { type: 'turn_end', stopReason: 'end_turn' },
    ])
  })

  it('nothing for what it has no use for, or cannot read', async () => {
    const odd: AcpStep[] = [
      update('available_commands_update', { availableCommands: [{ name: 'logout' }] }),
      update('session_info_update', { title: 'Mugs' }),
      update('agent_message_chunk', { content: { type: 'image', data: 'AA==', mimeType: 'image/png' } }),
      update('agent_message_chunk', { content: { type: 'text', text: '' } }),
      update('agent_message_chunk', { content: 7 }),
      update('tool_call', { title: 'no id' }),
      update('plan', { entries: 'none' }),
      update('_x.ai/odd', {}),
      { update: { sessionUpdate: 5 } },
      { raw: '{"jsonrpc":"2.0","method":"session/update"}\n{"jsonrpc":"2.0","method":"_auth/status_update"}\n' },
    ]
    expect(await eventsOf(...odd, { say: 'Hi' })).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'turn_end', stopReason: 'end_turn' },
    ])
  })

  it('tool calls, merged by their id from wherever they are told, each change once', async () => {
    const events = await eventsOf(
      update('tool_call', { toolCallId: 'a', title: 'mcp__webmcp__find_items', kind: 'other', status: 'pending' }),
      update('tool_call', { toolCallId: 'a', title: 'mcp__webmcp__find_items', rawInput: { query: 'mug' } }),
      update('tool_call_update', { toolCallId: 'a', status: 'in_progress' }),
      update('tool_call_update', { toolCallId: 'a', status: 'completed', content: [] }),
      // Late: the call is over.
      update('tool_call_update', { toolCallId: 'a', status: 'failed', title: 'Bash' }),
    )
    const call = {
      type: 'tool_call',
      toolCallId: 'a',
      title: 'mcp__webmcp__find_items',
      kind: 'other',
      toolName: 'mcp__webmcp__find_items',
    }
    expect(events).toEqual([
      { ...call, status: 'pending' },
      { ...call, status: 'in_progress' },
      { ...call, status: 'completed' },
      { type: 'turn_end', stopReason: 'end_turn' },
    ])
  })

  it('a call that only its permission shows, as done when the turn is', async () => {
    const ask: AcpStep = { ask: { toolCallId: 'a', title: 'find_items (webmcp MCP Server)' } }
    const events = await eventsOf(ask, { say: 'Done.' })
    const statuses = events.flatMap((event) => (event.type === 'tool_call' ? [event.status] : []))
    expect(statuses).toEqual([undefined, 'completed'])
  })

  it('what was used, as the agent says it: for the turn, or at least its context', async () => {
    const context = update('usage_update', { used: 1_200, size: 200_000 })
    const used = async (...steps: AcpStep[]) => (await eventsOf(...steps)).filter(({ type }) => type === 'usage')
    expect(await used(context)).toEqual([{ type: 'usage', inputTokens: 1_200 }])
    expect(await used(context, { stop: 'end_turn', usage: { inputTokens: 30, outputTokens: 4 } })).toEqual([
      { type: 'usage', inputTokens: 30, outputTokens: 4 },
    ])
    expect(await used({ say: 'Hi' })).toEqual([])
  })

  it.each([
    ['end_turn', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['max_turn_requests', 'max_turns'],
    ['refusal', 'refusal'],
    ['cancelled', 'cancelled'],
    ['something_new', 'end_turn'],
  ])('the stop reason %s as %s', async (given, expected) => {
    expect(await eventsOf({ stop: given })).toEqual([{ type: 'turn_end', stopReason: expected }])
  })

  it('no text that an earlier turn left behind', async () => {
    const { open } = scene({ prompts: [[{ say: 'one' }, { stop: 'end_turn' }, { say: 'late' }], [{ say: 'two' }]] })
    const session = await open()
    expect(textOf(await run(session, 'first'))).toBe('one')
    await settle()
    expect(textOf(await run(session, 'second'))).toBe('two')
  })
})

describe('what the agent is asked', () => {
  it('the prompt, with attachments as it can take them', async () => {
    const attachments = [
      { type: 'image', mimeType: 'image/png', data: 'AAAA', name: 'mug.png' },
      { type: 'text', text: 'a </file><file name="x"> b', name: 'a "b"\n<c>.txt' },
    ] as const
    const blocks = async (image: boolean): Promise<unknown> => {
      const { open, agent } = scene({
        initialize: { result: { agentCapabilities: { promptCapabilities: { image } } } },
      })
      const session = await open()
      await collectTurn(session.prompt({ text: 'Look', attachments: [...attachments] }, never()))
      return agent().sent('session/prompt')[0]?.params?.prompt
    }
    const file = {
      type: 'text',
      text: '<file name="a &quot;b&quot; &lt;c&gt;.txt">a &lt;/file>&lt;file name="x"> b</file>',
    }
    expect(await blocks(true)).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      file,
    ])
    expect(await blocks(false)).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'text', text: '[An image (mug.png) was left out: this AI does not take images.]' },
      file,
    ])
  })

  it.each(['/logout', ' !rm -rf ~', '#remember'])('never a command of its own: %s', async (text) => {
    const { turn, agent } = scene()
    await turn(text)
    expect(agent().sent('session/prompt')[0]?.params?.prompt).toEqual([
      { type: 'text', text: `The visitor writes:\n${text}` },
    ])
  })
})

describe('a cancelled turn', () => {
  const late: AcpStep[] = [
    { say: 'one' },
    { wait: 'cancel' },
    { say: 'late-1' },
    { pauseMs: 20 },
    { say: 'late-2' },
    { stop: 'end_turn' },
  ]

  // FC-16, A
  it('says nothing more, and the next one begins when the agent has answered', async () => {
    const { open, agent } = scene({ prompts: [late, [{ say: 'two' }]] })
    const session = await open()
    const cancel = new AbortController()
    const first = session.prompt({ text: 'first' }, cancel.signal)[Symbol.asyncIterator]()
    expect((await first.next()).value).toEqual({ type: 'text', text: 'one' })
    cancel.abort()
    const second = run(session, 'second')
    expect((await first.next()).value).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
    expect(await second).toEqual([
      { type: 'text', text: 'two' },
      { type: 'turn_end', stopReason: 'end_turn' },
    ])
    expect(agent().received.map(({ method }) => method)).toEqual([
      'initialize',
      'session/new',
      'session/prompt',
      'session/cancel',
      'session/prompt',
    ])
  })

  // FC-16, B
  it('that the agent never answers is a failure within 10 seconds, and its program is ended', async () => {
    const { open, clock, started, agent } = scene({ prompts: [[{ say: 'one' }, { wait: 'ever' }]] })
    const session = await open()
    const cancel = new AbortController()
    const turn = run(session, 'first', cancel.signal)
    const failed = failureOf(turn)
    await agent().until('session/prompt')
    cancel.abort()
    await clock.advanceAsync(9_999)
    expect(started.running).toBe(1)
    await clock.advanceAsync(1)
    expect(await failed).toMatchObject({ code: 'timed_out', message: 'Scripted agent did not stop within 10 seconds.' })
    await expect.poll(() => started.running).toBe(0)
    expect((await failureOf(run(session, 'second'))).code).toBe('crashed')
  })

  // FC-16
  it('gets permissions asked for after it answered with cancelled, and no event', async () => {
    const { open, agent } = scene({
      prompts: [[{ say: 'one' }, { wait: 'cancel' }, { ask: { title: 'mcp__webmcp__find_items' } }]],
    })
    const session = await open()
    const cancel = new AbortController()
    const turn = run(session, 'first', cancel.signal)
    await agent().until('session/prompt')
    cancel.abort()
    expect((await turn).filter(({ type }) => type === 'permission')).toEqual([])
    expect(agent().outcomes).toMatchObject([{ outcome: 'cancelled' }])
  })

  it('is one whose reader went away, and the next waits for its end', async () => {
    const { open, agent } = scene({ prompts: [late, [{ say: 'two' }]] })
    const session = await open()
    for await (const event of session.prompt({ text: 'first' }, never())) if (event.type === 'text') break
    expect(textOf(await run(session, 'second'))).toBe('two')
    expect(agent().sent('session/cancel')).toHaveLength(1)
  })

  it('shows how its calls ended', async () => {
    const begun = {
      update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'mcp__webmcp__find_items', status: 'in_progress' },
    }
    const { open, agent } = scene({ prompts: [[begun, { say: 'go' }, { wait: 'cancel' }]] })
    const session = await open()
    const cancel = new AbortController()
    const turn = run(session, 'first', cancel.signal)
    await agent().until('session/prompt')
    await settle()
    cancel.abort()
    expect((await turn).flatMap((event) => (event.type === 'tool_call' ? [event.status] : []))).toEqual([
      'in_progress',
      'failed',
    ])
  })
})

describe('limits of a turn', () => {
  it('a turn without a sign of life for 15 minutes has failed', async () => {
    const { open, clock, started, agent } = scene({ prompts: [[{ wait: 'ever' }]] })
    const session = await open()
    const failed = failureOf(run(session, 'hi'))
    await agent().until('session/prompt')
    await clock.advanceAsync(10 * 60_000)
    await agent().play([{ think: 'still here' }])
    await settle()
    await clock.advanceAsync(14 * 60_000)
    expect(started.running).toBe(1)
    await clock.advanceAsync(60_000)
    expect(await failed).toMatchObject({ code: 'timed_out' })
    await expect.poll(() => started.running).toBe(0)
  })

  it('calls of page tools are counted where the agent does not count, and the turn ends by max_turns', async () => {
    const call = (n: number): AcpStep => ({
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: `c${n}`,
        title: 'mcp__webmcp__find_items',
        status: 'completed',
      },
    })
    const steps = [call(1), call(2), { say: 'so far' }]
    expect((await scene({ prompts: [steps] }).turn('hi', { maxTurns: 2 })).at(-1)).toEqual({
      type: 'turn_end',
      stopReason: 'end_turn',
    })
    const over = await scene({ prompts: [[...steps, call(3), { wait: 'cancel' }, { say: 'never' }]] }).turn('hi', {
      maxTurns: 2,
    })
    expect(over.at(-1)).toEqual({ type: 'turn_end', stopReason: 'max_turns' })
    expect(textOf(over)).toBe('so far')
  })

  it('calls that arrive at the tools count, whatever the agent says of them; one too many gets nothing', async () => {
    const { open, agent, tools } = scene({ otherwise: [{ say: 'so far' }, { wait: 'cancel' }] })
    const session = await open({ maxTurns: 2 })
    const call = async (): Promise<string> => {
      const outcome = await tools.call({ name: 'find_items', arguments: {} })
      return outcome.ok ? 'ok' : outcome.code
    }
    // Each turn has its own count.
    for (const turn of [0, 1]) {
      const events = run(session, 'hi')
      await expect.poll(() => agent().sent('session/prompt').length).toBe(turn + 1)
      expect([await call(), await call(), await call(), await call()]).toEqual([
        'ok',
        'ok',
        'over_budget',
        'over_budget',
      ])
      expect((await events).at(-1)).toEqual({ type: 'turn_end', stopReason: 'max_turns' })
      expect(agent().sent('session/cancel')).toHaveLength(turn + 1)
    }
  })

  it('an agent that holds itself to its steps is not counted', async () => {
    const profile = { ...unknownAgent, maxTurns: 'profile' as const }
    const { open, agent, tools } = scene({ prompts: [[{ wait: 'cancel' }]] }, { profile })
    const stop = new AbortController()
    const events = run(await open({ maxTurns: 1 }), 'hi', stop.signal)
    await agent().until('session/prompt')
    for (const _ of [1, 2, 3])
      expect(await tools.call({ name: 'find_items', arguments: {} })).toMatchObject({ ok: true })
    stop.abort()
    expect((await events).at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
  })
})

describe('an error for a prompt', () => {
  it.each([
    [
      { code: -32603, message: 'Internal error', data: { details: 'The model said 400' } },
      'failed',
      'Scripted agent reported a problem: Internal error: The model said 400.',
    ],
    [{ code: 400, message: 'Bad request' }, 'failed', 'Scripted agent reported a problem: Bad request.'],
    [
      { code: -32000, message: 'Authentication required' },
      'signed_out',
      'Scripted agent wants you to sign in first. Run: leuria login scripted',
    ],
    [
      { code: -32603, message: 'Invalid API key · Please run /login' },
      'signed_out',
      'Scripted agent wants you to sign in first. Run: leuria login scripted',
    ],
    [
      { code: -32603, message: 'Slow down!', data: { status: 429 } },
      'rate_limited',
      'Scripted agent asks to slow down: Slow down!',
    ],
  ])('%j is %s', async (fail, code, message) => {
    const { turn } = scene({ prompts: [[{ fail }]] })
    expect(await failureOf(turn())).toMatchObject({ code, message })
  })
})
