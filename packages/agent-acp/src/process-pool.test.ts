/** Programs started ahead, and shared between sessions of one site. */
import { collectTurn, textOf } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { unknownAgent } from './index.js'
import { scene } from './scripted.fixture.js'

const profile = { ...unknownAgent, sharesProcess: true }
const SHOP = { site: 'https://shop.example' }
const never = (): AbortSignal => new AbortController().signal

describe('a program started ahead', () => {
  it('is introduced before anyone asks, and another takes its place', async () => {
    const { adapter, open, started } = scene()
    await adapter.warm()
    expect(started.agent.received.map(({ method }) => method)).toEqual(['initialize'])
    const first = started.agent
    await open()
    expect(first.sent('session/new')).toHaveLength(1)
    await expect.poll(() => started.agents.length).toBe(2)
    await adapter.close()
    expect(started.running).toBe(0)
  })

  it('is not used for a session that must be started otherwise', async () => {
    const { adapter, open, started } = scene(
      {},
      {
        profile: {
          ...unknownAgent,
          systemPrompt: 'profile',
          launch: ({ systemPrompt = '' }) => ({ env: { PROMPT: systemPrompt } }),
        },
      },
    )
    await adapter.warm()
    const prompts = (): unknown[] => started.launches.map(({ env }) => env.PROMPT)
    await open({ systemPrompt: 'You sell mugs.' })
    // The next session will want the same: the one that nobody wanted makes way for it.
    await expect.poll(prompts).toEqual(['', 'You sell mugs.', 'You sell mugs.'])
    await expect.poll(() => adapter.running).toBe(2)
    await adapter.warm()
    await open({ systemPrompt: 'You sell mugs.', sessionId: 's2' })
    expect(started.agents[2]?.sent('session/new')).toHaveLength(1)
  })

  it('waits until the session before it stands: the start costs that one nothing', async () => {
    const { adapter, open, started } = scene({ newSession: [{ hang: true }] })
    await adapter.warm()
    void open().catch(() => undefined)
    await started.agent.until('session/new')
    expect(started.agents).toHaveLength(1)
  })

  it('is ended when it is wanted no more; sessions go on, also one that is just being opened', async () => {
    const { adapter, open, started } = scene((start) => (start === 1 ? { newSession: [{ hang: true }] } : {}))
    await adapter.warm()
    const session = await open()
    await expect.poll(() => started.agents.length).toBe(2)
    await adapter.warm()
    expect(adapter.running).toBe(2)
    const opening = open({ sessionId: 's2' })
    opening.catch(() => undefined)
    await expect.poll(() => started.agents[1]?.sent('session/new')).toHaveLength(1)
    await adapter.cool()
    expect(adapter.running).toBe(2)
    expect(textOf(await collectTurn(session.prompt({ text: 'hi' }, never())))).toBe('Hello.')
    await session.close()
    expect(started.agents).toHaveLength(2)
  })

  it('is called off while it starts, without a word', async () => {
    const { adapter, started, log } = scene({ initialize: { hang: true } })
    const warming = adapter.warm()
    await expect.poll(() => started.agents.length).toBe(1)
    await adapter.cool()
    await warming
    expect({ running: started.running, log }).toEqual({ running: 0, log: [] })
  })

  it.each([
    ['nobody has checked it', unknownAgent, undefined],
    ['its version was not checked', { ...unknownAgent, checkedVersions: ['1.0'] }, '2.0.0'],
  ])('never runs where there is no sandbox and %s', async (_, profile, version) => {
    const { adapter, open, started, log } = scene({}, { trusted: false, sandbox: false, profile, version })
    await adapter.warm()
    expect(log.join()).toContain('may run only inside a sandbox')
    await expect(open()).rejects.toThrow('leuria agents trust scripted, or start Leuria with --trust scripted')
    await expect(adapter.inspect()).rejects.toThrow('--trust scripted')
    expect(started.launches).toEqual([])
  })

  it('is ended at once when it turns out to be a version that may not run here', async () => {
    const profile = { ...unknownAgent, checkedVersions: ['1.0'] }
    const script = (version: string) => ({ initialize: { result: { agentInfo: { name: 'x', version } } } })
    const other = scene(script('2.0.0'), { trusted: false, profile })
    await other.adapter.warm()
    expect({ running: other.started.running, log: other.log.join() }).toMatchObject({
      running: 0,
      log: expect.stringContaining('Scripted agent 2.0.0 has not been checked') as unknown,
    })
    const checked = scene(script('1.0.3'), { trusted: false, sandbox: false, profile })
    await checked.adapter.warm()
    expect(checked.adapter.running).toBe(1)
  })

  it('that died is replaced by one started then, and one that cannot start is only logged', async () => {
    const { adapter, open, started, log } = scene((start) =>
      start === 0 ? {} : start === 1 ? { start: [{ exit: 1 }] } : {},
    )
    await adapter.warm()
    started.die({ code: 1, signal: null })
    await expect.poll(() => adapter.running).toBe(0)
    await open().catch(() => undefined)
    await adapter.warm()
    expect(started.agents.length).toBeGreaterThanOrEqual(2)
    const failing = scene({ start: [{ exit: 1 }] })
    await failing.adapter.warm()
    expect(failing.log.join()).toContain('was not started ahead')
    expect(log).toEqual([])
  })
})

describe('sessions of one site', () => {
  it('share a program that keeps sessions apart, and hear only their own', async () => {
    const { open, started } = scene({ prompts: [[{ say: 'one' }], [{ say: 'two' }]] }, { profile })
    const [first, second] = [await open(SHOP), await open({ ...SHOP, sessionId: 's2' })]
    expect(started.agents).toHaveLength(1)
    const [a, b] = await Promise.all(
      [first, second].map(async (session) => textOf(await collectTurn(session.prompt({ text: 'hi' }, never())))),
    )
    expect([a, b]).toEqual(['one', 'two'])
    await first.close()
    expect(started.running).toBe(1)
    await second.close()
    expect(started.running).toBe(0)
  })

  it.each([
    ['another site', { site: 'https://other.example' }, {}],
    ['nobody in particular', { site: undefined }, {}],
    ['the same site, when sharing is off', SHOP, { share: false }],
    ['the same site, with an agent that mixes sessions', SHOP, { profile: unknownAgent }],
  ])('%s gets a program of its own', async (_, options, more) => {
    const { open, started } = scene({}, { profile, ...more })
    await open(SHOP)
    await open(options)
    expect(started.agents).toHaveLength(2)
  })

  it('are stopped and closed one by one in a program that goes on', async () => {
    const script = {
      initialize: { result: { agentCapabilities: { sessionCapabilities: { close: {} } } } },
      prompts: [[{ wait: 'cancel' as const }]],
    }
    const { open, agent } = scene(script, { profile })
    const [first] = [await open(SHOP), await open(SHOP)]
    const turn = collectTurn(first.prompt({ text: 'hi' }, never()))
    await agent().until('session/prompt')
    await first.close()
    expect((await turn).at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
    expect(
      agent()
        .sent('session/cancel')
        .map(({ params }) => params?.sessionId),
    ).toEqual(['agent-session-1'])
    expect(
      agent()
        .sent('session/close')
        .map(({ params }) => params?.sessionId),
    ).toEqual(['agent-session-1'])
  })

  it('are never two under one id of the agent’s', async () => {
    const { open } = scene({ newSession: [{ result: { sessionId: 'same' } }] }, { profile })
    await open(SHOP)
    await expect(open(SHOP)).rejects.toThrow('Scripted agent opened a session that was open already.')
  })

  it('all fail when their program dies', async () => {
    const { open, started } = scene({}, { profile })
    const sessions = [await open(SHOP), await open(SHOP)]
    started.die({ code: 9, signal: null })
    for (const session of sessions) expect(await session.exited).toMatchObject({ clean: false })
    await open(SHOP)
    expect(started.agents).toHaveLength(2)
  })
})

it.each([
  ['before a word of the command', ['agent', 'stdio'], ['agent', '--profile', 'stdio']],
  ['at the end of a command without that word', ['agent'], ['agent', '--profile']],
])('what a profile adds stands %s', async (_, args, started) => {
  const launch = () => ({ args: ['--profile'], before: 'stdio' })
  const { open, started: programs } = scene({}, { args, profile: { ...unknownAgent, launch } })
  await open()
  expect(programs.launches[0]?.args).toEqual(started)
})
