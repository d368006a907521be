// Sessions and Lifecycle of the protocol page: what each action does, what it answers, how sessions end.
import { AgentError } from '@leuria/agent'
import { EngineError } from '@leuria/protocol'
import { settle } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { BLOG, NOTHING, Scene, type SceneOptions, SHOP } from './scene.fixture.js'

let scene: Scene
function begin(options?: SceneOptions): Scene {
  scene = new Scene(options)
  return scene
}
afterEach(async () => {
  const left = scene.leftovers()
  await settle()
  await scene.clock.advanceAsync(60_000)
  expect(await left).toEqual({ ...NOTHING, agents: expect.any(Number) as number })
})

/** The code and the text of what is thrown. */
function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof EngineError) return `${error.status} ${error.message}`
    throw error
  }
  return 'allowed'
}

describe('prepare', () => {
  it('makes a session that waits for approval, with the channel’s tokens', () => {
    const session = begin().prepare({ prompt: 'hello' })
    expect(session.info()).toEqual({
      id: session.id,
      status: 'pending_approval',
      origin: SHOP,
      createdAt: '2026-01-01T00:00:00.000Z',
      registrationToken: `register-${session.id}`,
      webmcpUrl: 'http://127.0.0.1:19570',
    })
    expect(session.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(scene.requests).toEqual([])
  })

  it('hands systemPrompt, maxTurns and the page’s tools to the AI', async () => {
    const session = begin().prepare({ systemPrompt: 'Be brief.', maxTurns: 3 })
    await session.idle()
    const [request] = scene.requests
    expect(request).toMatchObject({ sessionId: session.id, owner: SHOP, systemPrompt: 'Be brief.', maxTurns: 3 })
    expect(request?.tools).toBe(session.channel.tools)
    expect(request?.channel).toBe(session.channel)
  })

  it('refuses a blank prompt', () => {
    begin()
    expect(refusal(() => scene.prepare({ prompt: ' \n' }))).toBe('400 prompt must be a non-empty string')
    expect(scene.manager.live().sessions).toBe(0)
  })
})

describe('approve', () => {
  it('starts the AI and sends the prompt', async () => {
    const session = begin().prepare({ prompt: 'hello', attachments: [{ type: 'text', text: 'a file' }] })
    const { sink } = session.read()
    expect(session.approve()).toEqual({ sessionId: session.id, status: 'running' })
    await settle()
    expect(scene.agent.turn.prompt).toEqual({ text: 'hello', attachments: [{ type: 'text', text: 'a file' }] })
    scene.agent.turn.text('Hi').end()
    await settle()
    expect(sink.names).toEqual(['webmcp_ready', 'turn_start', 'chunk', 'turn_completed'])
    expect(session.status).toBe('idle')
  })

  it('goes idle and emits ready without a prompt (a warm start)', async () => {
    const session = begin().prepare()
    const { sink } = session.read()
    session.approve()
    expect(session.status).toBe('running')
    await settle()
    expect(session.status).toBe('idle')
    expect(sink.names).toEqual(['webmcp_ready', 'ready'])
    expect(scene.agent.session.turns).toEqual([])
  })

  it('keeps attachments without a prompt for the first prompt', async () => {
    const session = begin().prepare({ attachments: [{ type: 'text', text: 'a file' }] })
    await session.running('look')
    expect(scene.agent.turn.prompt).toEqual({ text: 'look', attachments: [{ type: 'text', text: 'a file' }] })
    scene.agent.turn.end()
    await settle()
    session.prompt('again')
    await settle()
    expect(scene.agent.turn.prompt).toEqual({ text: 'again' })
  })

  it('is refused twice, and after the end', async () => {
    const session = begin().prepare()
    session.approve()
    expect(refusal(() => session.approve())).toBe('400 The session has been approved already.')
    await settle()
    expect(refusal(() => session.approve())).toBe('400 The session has been approved already.')
    session.close()
    expect(refusal(() => session.approve())).toBe('400 The session has ended (completed).')
  })
})

describe('prompt', () => {
  it('runs a follow-up turn on an idle session', async () => {
    const session = begin().prepare()
    await session.idle()
    expect(session.prompt('one')).toEqual({ sessionId: session.id, status: 'running' })
    await settle()
    scene.agent.turn.end()
    await settle()
    expect(session.prompt('two').status).toBe('running')
    await settle()
    expect(scene.agent.session.turns.map(({ prompt }) => prompt.text)).toEqual(['one', 'two'])
    expect(scene.agent.sessions).toHaveLength(1)
  })

  it('is refused before approval, while the AI starts, while a turn runs, and after the end', async () => {
    const session = begin({ start: 'by_hand' }).prepare()
    expect(refusal(() => session.prompt('x'))).toBe('400 The session has not been approved yet.')
    session.approve()
    expect(refusal(() => session.prompt('x'))).toMatch(/^400 A turn is running/)
    scene.agent.openings[0]?.succeed()
    await settle()
    session.prompt('go')
    expect(refusal(() => session.prompt('x'))).toMatch(/^400 A turn is running/)
    session.cancel()
    expect(refusal(() => session.prompt('x'))).toBe('400 The session has ended (cancelled): its AI is gone.')
  })

  it('is refused when blank, and the session stays as it is', async () => {
    const session = begin().prepare()
    await session.idle()
    expect(refusal(() => session.prompt('  '))).toBe('400 prompt must be a non-empty string')
    expect(session.status).toBe('idle')
  })
})

describe('cancel and close', () => {
  it('end a session as cancelled and as completed', async () => {
    begin()
    expect(scene.prepare().cancel().status).toBe('cancelled')
    expect(scene.prepare().close().status).toBe('completed')
    const idle = await scene.prepare().idle()
    expect(idle.close().status).toBe('completed')
    const running = await scene.prepare().running()
    expect(running.cancel().status).toBe('cancelled')
  })

  it('answer with the status there is once it has ended: close during cancel changes nothing', async () => {
    const session = begin({ onClose: 'hang' }).prepare()
    await session.idle()
    const { sink } = session.read()
    expect(session.cancel().status).toBe('cancelled')
    expect(session.close()).toEqual({ sessionId: session.id, status: 'cancelled' })
    await scene.clock.advanceAsync(1_000)
    expect(session.close().status).toBe('cancelled')
    expect(session.cancelTurn().status).toBe('cancelled')
    expect(sink.names).toEqual(['webmcp_ready', 'ready', 'cancelled'])
  })

  it('stop a turn: the AI is told at once, and the page gets no turn_completed', async () => {
    const session = begin().prepare()
    await session.running()
    const { sink } = session.read()
    scene.agent.turn.text('half')
    await settle()
    session.cancel()
    expect(scene.agent.turn.cancelled).toBe(true)
    await settle()
    expect(sink.names).toEqual(['webmcp_ready', 'chunk', 'cancelled'])
    expect(sink.state).toBe('ended')
  })

  it('stop the AI first, then close the channel, then send the last event', async () => {
    const order: string[] = []
    const session = begin().prepare()
    await session.idle()
    const { sink } = session.read()
    const ai = scene.agent.session
    ai.close = async () => {
      await settle()
      order.push('AI stopped')
    }
    session.channel.close = () => order.push('channel closed')
    const write = sink.write.bind(sink)
    sink.write = (text) => {
      order.push(text.includes('event: completed') ? 'last event' : text)
      return write(text)
    }
    sink.end = () => order.push('stream ended')
    session.close()
    await settle()
    await settle()
    expect(order).toEqual(['AI stopped', 'channel closed', 'last event', 'stream ended'])
  })

  it('do not make the page wait longer than a second for an AI that does not stop', async () => {
    const session = begin({ onClose: 'hang' }).prepare()
    await session.idle()
    const { sink } = session.read()
    session.close()
    await scene.clock.advanceAsync(999)
    expect(sink.names).not.toContain('completed')
    await scene.clock.advanceAsync(1)
    expect(sink.names.at(-1)).toBe('completed')
    await scene.clock.advanceAsync(10_000)
    expect(scene.problems.map(({ error }) => String(error))).toEqual(['Error: An AI did not close within its limit.'])
  })

  it('end a session even when the AI and the channel fail on the way', async () => {
    const session = begin({ onClose: new Error('stuck') }).prepare()
    await session.idle()
    session.channel.close = () => {
      throw new Error('gone already')
    }
    const { sink } = session.read()
    session.close()
    await settle()
    expect(sink.names.at(-1)).toBe('completed')
    expect(scene.problems).toHaveLength(2)
  })
})

describe('start', () => {
  it('fails when the AI can’t start, in its own words and with its code', async () => {
    const session = begin({ start: new AgentError('unavailable', 'Nothing answers at that address.') }).prepare()
    const { sink } = session.read()
    session.approve()
    await settle()
    expect(sink.events.at(-1)).toMatchObject({ event: 'failed', data: 'Nothing answers at that address.' })
    expect(session.info()).toMatchObject({
      status: 'failed',
      error: 'Nothing answers at that address.',
      code: 'unavailable',
    })
  })

  it('fails after 60 s, not before; an AI that comes up later is closed at once', async () => {
    const session = begin({ start: 'by_hand' }).prepare({ prompt: 'hello' })
    session.approve()
    await scene.clock.advanceAsync(59_999)
    expect(session.status).toBe('running')
    await scene.clock.advanceAsync(1)
    expect(session.info()).toMatchObject({ status: 'failed', code: 'timed_out' })
    expect(session.info().error).toBe('The AI did not start within 60 seconds.')
    expect(scene.requests[0]?.signal.aborted).toBe(true)
    const late = scene.agent.openings[0]?.succeed()
    await settle()
    expect(late?.closed).toBe(true)
    expect(late?.turns).toEqual([])
  })

  it('is called off by cancel: the AI is told, and one that comes up all the same is closed at once', async () => {
    const session = begin({ start: 'by_hand' }).prepare({ prompt: 'hello' })
    session.approve()
    session.cancel()
    await settle()
    expect(scene.requests[0]?.signal.aborted).toBe(true)
    expect(session.channel.closed).toBe('The session has ended.')
    const late = scene.agent.openings[0]?.succeed()
    await settle()
    expect(late?.closed).toBe(true)
    expect(late?.turns).toEqual([])
    expect(session.status).toBe('cancelled')
    expect(scene.problems).toEqual([])
  })

  it('swallows a start that fails after the session has ended', async () => {
    const session = begin({ start: 'by_hand' }).prepare()
    session.approve()
    session.close()
    scene.agent.openings[0]?.fail(new Error('too late'))
    await settle()
    expect(session.info()).toMatchObject({ status: 'completed' })
    expect(session.info().error).toBeUndefined()
  })

  it('keeps an error nobody expected out of the page’s sight, with an id to find it by', async () => {
    const session = begin({ start: new Error('secret path /home/x') }).prepare()
    session.approve()
    await settle()
    const { error, code } = session.info()
    const [problem] = scene.problems
    expect(error).toBe(`Something went wrong in the engine (error ${problem?.id}).`)
    expect(code).toBe('internal_error')
    expect(problem).toMatchObject({ sessionId: session.id, error: new Error('secret path /home/x') })
  })
})

describe('who sees a session', () => {
  it('only the origin that prepared it; others get 404, as if it did not exist', () => {
    const session = begin().prepare()
    const { manager } = scene
    const id = session.id
    const attempts: [string, (owner: typeof BLOG, id: string) => unknown][] = [
      ['info', (owner) => manager.info(owner, id)],
      ['approve', (owner) => manager.approve(owner, id)],
      ['prompt', (owner) => manager.prompt(owner, id, { prompt: 'x' })],
      ['cancelTurn', (owner) => manager.cancelTurn(owner, id)],
      ['cancel', (owner) => manager.cancel(owner, id)],
      ['close', (owner) => manager.closeSession(owner, id)],
      ['stream', (owner) => manager.stream(owner, id, { sink: session.read().sink })],
    ]
    for (const [name, attempt] of attempts)
      for (const owner of [BLOG, 'local'] as const)
        expect([name, refusal(() => attempt(owner, id))]).toEqual([name, '404 Session not found'])
    expect(refusal(() => manager.info(SHOP, 'nonsense'))).toBe('404 Session not found')
    expect(session.status).toBe('pending_approval')
  })

  it('is a local program too, under the owner "local"', async () => {
    const session = begin().prepare({}, 'local')
    await session.idle()
    expect(session.info()).toMatchObject({ origin: 'local', status: 'idle' })
  })
})

describe('endFor and close', () => {
  it('ends all sessions of one owner as cancelled, with the reason in info', async () => {
    const mine = [begin().prepare(), await scene.prepare().idle(), await scene.prepare().running()]
    const other = await scene.prepare({}, BLOG).idle()
    const done = scene.prepare()
    done.close()
    scene.manager.endFor(SHOP, 'The site’s AI was changed.')
    for (const session of mine)
      expect(session.info()).toMatchObject({ status: 'cancelled', error: 'The site’s AI was changed.' })
    expect(done.info().error).toBeUndefined()
    expect(other.status).toBe('idle')
    await settle()
    expect(mine[1]?.channel.closed).toBe('The site’s AI was changed.')
  })

  it('ends everything when the engine stops, tells the pages, and takes nothing new', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    const closing = scene.manager.close()
    expect(scene.manager.close()).toBe(closing)
    await closing
    expect(sink.names.at(-1)).toBe('cancelled')
    expect(sink.state).toBe('ended')
    expect(scene.agent.running).toBe(0)
    expect(refusal(() => scene.prepare())).toBe('400 The engine is stopping.')
  })

  it('waits for an AI that stops slowly, but for 10 s at most', async () => {
    await begin({ onClose: 'hang' }).prepare().idle()
    let closed = false
    void scene.manager.close().then(() => (closed = true))
    await scene.clock.advanceAsync(9_999)
    expect(closed).toBe(false)
    await scene.clock.advanceAsync(1)
    expect(closed).toBe(true)
  })
})

describe('what others are told', () => {
  it('every status, every turn’s beginning, its end with its figures, and the forgetting, in order', async () => {
    const session = await begin().prepare().running('four')
    scene.agent.turn.text('12', '345').emit({ type: 'usage', inputTokens: 7, outputTokens: 2 })
    await settle()
    await scene.clock.advanceAsync(250)
    scene.agent.turn.end('max_tokens')
    await settle()
    session.prompt('more')
    await settle()
    session.close()
    await scene.clock.advanceAsync(5 * 60_000)
    const told = scene.changes.map((change) => {
      if (change.kind !== 'turn_ended') return change.kind === 'status' ? change.status : change.kind
      const { outcome, durationMs, promptChars, textChars, usage } = change
      return [outcome, durationMs, promptChars, textChars, usage]
    })
    expect(told).toEqual([
      'pending_approval',
      'running',
      'idle',
      'running',
      'turn_started',
      'idle',
      ['max_tokens', 250, 4, 5, { inputTokens: 7, outputTokens: 2 }],
      'running',
      'turn_started',
      'completed',
      ['interrupted', 0, 4, 0, null],
      'forgotten',
    ])
  })

  it('a listener that throws disturbs nobody; one that is gone hears nothing', async () => {
    begin()
    const heard: string[] = []
    const stop = scene.manager.subscribe((change) => void heard.push(change.kind))
    scene.manager.subscribe(() => {
      throw new Error('listener')
    })
    const session = scene.prepare()
    stop()
    stop()
    await session.idle()
    expect(heard).toEqual(['status'])
    expect(session.status).toBe('idle')
    expect(scene.problems.length).toBeGreaterThan(0)
  })

  it('the audit log: started when the AI is, ended with status and code', async () => {
    const unapproved = begin().prepare()
    unapproved.cancel()
    const session = scene.prepare()
    session.approve()
    await settle()
    scene.agent.session.exit({ clean: false, reason: 'The AI’s program ended unexpectedly (code 1).' })
    await settle()
    const { id: sessionId } = session
    expect(scene.audit).toEqual([
      { kind: 'session_started', origin: SHOP, sessionId },
      { kind: 'session_ended', origin: SHOP, sessionId, status: 'failed', code: 'crashed' },
    ])
  })

  it('the audit log: each permission that the AI was refused, and none that it got', async () => {
    const session = begin({
      turns: [
        [
          { type: 'permission', toolName: 'mcp__webmcp__search', allow: true },
          { type: 'permission', toolName: 'Bash', allow: false },
          { type: 'turn_end', stopReason: 'end_turn' },
        ],
      ],
    }).prepare()
    const { id: sessionId } = await session.running()
    expect(scene.audit.slice(1)).toEqual([{ kind: 'permission_refused', origin: SHOP, sessionId, tool: 'Bash' }])
  })

  it('counts what there is', async () => {
    const session = await begin().prepare().idle()
    session.read()
    session.read()
    scene.prepare({}, BLOG)
    scene.prepare({}, BLOG).close()
    await settle()
    expect(scene.manager.live()).toEqual({
      sessions: 2,
      ended: 1,
      streams: 2,
      owners: new Map([
        [SHOP, 1],
        [BLOG, 1],
      ]),
    })
  })
})
