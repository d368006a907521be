/** A hostile agent gets nothing past the adapter, and one that acts outside the page is stopped and written down. */
import { AgentError } from '@leuria/agent'
import { type AcpStep, collectTurn, gainsOf, hostileAttempts, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { findProfile } from './index.js'
import { isAlive, plainLaunch, scriptedProgram } from './process.fixture.js'
import { scene } from './scripted.fixture.js'

const targets = { tool: 'find_items', arguments: { query: 'mug' } }
const never = (): AbortSignal => new AbortController().signal

async function failureOf(work: Promise<unknown>): Promise<AgentError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentError)) throw new Error('It did not fail with an AgentError.')
  return error
}

describe.each(['scripted', 'claude-acp', 'github-copilot-cli', 'grok-cli', 'qwen-code'])(
  'a hostile agent that passes for %s',
  (id) => {
    it.each(hostileAttempts(targets).map((attempt) => [attempt.name, attempt] as const))(
      'gets nothing by %s',
      async (_, attempt) => {
        const { open, agent } = scene({ prompts: [attempt.steps] }, { profile: findProfile(id) })
        const session = await open()
        await collectTurn(session.prompt({ text: 'hi' }, never()))
        const asked = attempt.steps.filter((step) => 'ask' in step || 'request' in step).length
        await expect.poll(() => agent().outcomes.length).toBe(asked)
        expect(gainsOf(attempt, agent().outcomes)).toEqual([])
        for (const outcome of agent().outcomes) if (outcome.kind === 'request') expect(outcome.code).toBe(-32601)
      },
    )
  },
)

it('an honest question is allowed once, and told', async () => {
  const { open, agent, audit } = scene({
    prompts: [[{ ask: { title: 'mcp__webmcp__find_items', rawInput: { query: 'mug' } } }]],
  })
  const events = await collectTurn((await open()).prompt({ text: 'hi' }, never()))
  expect(agent().outcomes).toMatchObject([{ outcome: 'selected', optionId: 'once' }])
  expect(events).toContainEqual({ type: 'permission', toolName: 'mcp__webmcp__find_items', allow: true })
  expect(audit).toEqual([])
})

it('a refusal is told, as an event in a turn and to the visitor’s log outside one', async () => {
  const late: AcpStep[] = [
    { ask: { name: 'Bash' } },
    { stop: 'end_turn' },
    { ask: { title: 'mcp__webmcp__find_items' } },
  ]
  const { open, agent, audit } = scene({ prompts: [late] })
  const events = await collectTurn((await open()).prompt({ text: 'hi' }, never()))
  expect(events).toContainEqual({ type: 'permission', toolName: 'Bash', allow: false })
  await expect.poll(() => agent().outcomes.length).toBe(2)
  expect(audit).toEqual([
    { kind: 'permission_refused', origin: 'https://shop.example', sessionId: 's1', tool: 'mcp__webmcp__find_items' },
  ])
})

it('a request before any turn, or for no call at all, is refused', async () => {
  const { open, agent } = scene({ opened: [{ pauseMs: 5 }, { ask: { title: 'mcp__webmcp__find_items' } }] })
  await open()
  await expect.poll(() => agent().outcomes.length).toBe(1)
  expect(agent().outcomes).toMatchObject([{ optionId: 'no' }])
  await agent().play([
    { request: 'session/request_permission', params: { sessionId: 'agent-session-1', toolCall: {}, options: [] } },
  ])
  expect(agent().received.at(-1)?.result).toEqual({ outcome: { outcome: 'cancelled' } })
})

describe('a tool with effects outside the page that runs all the same', () => {
  const tool = (fields: object): AcpStep => ({ update: { sessionUpdate: 'tool_call', toolCallId: 't', ...fields } })
  const on = (fields: object): AcpStep => ({
    update: { sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields },
  })

  it.each<[string, string, AcpStep[]]>([
    ['a shell', 'execute', [tool({ title: 'ls', kind: 'execute', status: 'completed' })]],
    ['a named one', 'Bash', [tool({ name: 'Bash', status: 'pending' }), on({ status: 'completed' })]],
    [
      'one with a forged title',
      'execute',
      [tool({ title: 'mcp__webmcp__find_items', kind: 'execute', status: 'completed' })],
    ],
    ['one that was refused', 'Bash', [{ ask: { toolCallId: 't', name: 'Bash' } }, on({ status: 'completed' })]],
    ['one that ran and failed', 'Bash', [tool({ name: 'Bash', status: 'in_progress' }), on({ status: 'failed' })]],
    [
      'one under the id of a finished call',
      'Bash',
      [tool({ title: 'webmcp_find_items', status: 'completed' }), on({ name: 'Bash', status: 'completed' })],
    ],
    ['another server’s', 'mcp__files__write', [tool({ name: 'mcp__files__write', status: 'completed' })]],
    ['a reader of files', 'read', [tool({ title: '/etc/passwd', kind: 'read', status: 'completed' })]],
  ])('ends the session: %s', async (_, name, steps) => {
    const { open, audit, started } = scene({ prompts: [[...steps, { say: 'root:x:0:0' }, { wait: 'ever' }]] })
    const session = await open()
    expect(await failureOf(collectTurn(session.prompt({ text: 'hi' }, never())))).toMatchObject({
      code: 'failed',
      message: `Scripted agent used a tool that is not the page’s (${name}). It was stopped to protect you.`,
    })
    expect(audit).toEqual([{ kind: 'tool_outside_page', origin: 'https://shop.example', sessionId: 's1', tool: name }])
    expect(await session.exited).toMatchObject({ clean: false })
    await expect.poll(() => started.running).toBe(0)
  })

  it('is noticed while it runs, if it has not asked within 2 seconds', async () => {
    const { open, agent, clock, audit } = scene({
      prompts: [[tool({ name: 'Bash', status: 'in_progress' }), { wait: 'ever' }]],
    })
    const failed = failureOf(collectTurn((await open()).prompt({ text: 'hi' }, never())))
    await agent().until('session/prompt')
    await settle()
    await clock.advanceAsync(1_999)
    expect(audit).toEqual([])
    await clock.advanceAsync(1)
    expect((await failed).message).toContain('Bash')
  })

  it.each<[string, AcpStep[]]>([
    [
      'asks while it is in progress, and is refused',
      [tool({ name: 'Bash', status: 'in_progress' }), { ask: { toolCallId: 't' } }, on({ status: 'failed' })],
    ],
    ['does not exist', [tool({ name: 'Bash', status: 'pending' }), on({ status: 'failed' })]],
    ['is a page tool of another kind', [tool({ name: 'mcp__webmcp__find_items', kind: 'fetch', status: 'completed' })]],
    ['is a page tool that is gone', [tool({ name: 'mcp__webmcp__gone', status: 'completed' })]],
    ['is nothing that can be told', [tool({ title: 'Looking around', status: 'completed' })]],
  ])('is not one that %s', async (_, steps) => {
    const { turn, clock, audit } = scene({ prompts: [[...steps, { say: 'Hi' }]] })
    expect((await turn()).at(-1)).toEqual({ type: 'turn_end', stopReason: 'end_turn' })
    await clock.advanceAsync(10_000)
    expect(audit).toEqual([])
  })
})

it('children that it started in its group end with it', async () => {
  const plain = plainLaunch()
  const program = scriptedProgram({ prompts: [[{ child: 'same_group' }, { report: true }]] })
  const { open } = scene({}, { ...program, launch: plain.launch })
  const session = await open()
  const events = await collectTurn(session.prompt({ text: 'hi' }, never()))
  const pid = Number(/"pid":(\d+)/.exec(JSON.stringify(events).replaceAll('\\', ''))?.[1])
  await session.close()
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
})
