// How turns begin, are cancelled and end (Sessions, Lifecycle; field cases FC-12, FC-14, FC-16, FC-17).
import { AgentError } from '@leuria/agent'
import { STOP_REASONS } from '@leuria/protocol'
import { settle } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { NOTHING, Scene, type SceneOptions } from './scene.fixture.js'

let scene: Scene
function begin(options?: SceneOptions): Scene {
  scene = new Scene(options)
  return scene
}
afterEach(async () => {
  const left = scene.leftovers()
  await settle()
  await scene.clock.advanceAsync(60_000)
  expect(await left).toEqual(NOTHING)
})

describe('a turn', () => {
  it('passes everything through that the AI reports, in order', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    scene.agent.turn.emit(
      { type: 'status', text: 'Loading the model' },
      { type: 'thought', text: 'Hm.' },
      {
        type: 'tool_call',
        toolCallId: '1',
        title: 'Look',
        kind: 'read',
        status: 'pending',
        toolName: 'mcp__webmcp__look',
      },
      { type: 'permission', toolName: 'mcp__webmcp__look', allow: true },
      { type: 'tool_call', toolCallId: '1', status: 'completed' },
      { type: 'text', text: 'Line\none "two" \u2028 é😀' },
      { type: 'usage', inputTokens: 10, outputTokens: 3 },
    )
    scene.requests[0]?.log('a line on stderr')
    await settle()
    expect(sink.events.slice(1).map(({ event, data }) => [event, data])).toEqual([
      ['log', 'a line on stderr'],
      ['status', { text: 'Loading the model' }],
      ['thought', 'Hm.'],
      ['tool_call', { toolCallId: '1', title: 'Look', kind: 'read', status: 'pending', toolName: 'mcp__webmcp__look' }],
      ['permission', { toolName: 'mcp__webmcp__look', allow: true }],
      ['tool_call', { toolCallId: '1', status: 'completed' }],
      ['chunk', 'Line\none "two" \u2028 é😀'],
      ['usage', { inputTokens: 10, outputTokens: 3 }],
    ])
  })

  it.each(STOP_REASONS)('ends with its whole text, its time and why it ended: %s', async (stopReason) => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    scene.agent.turn.text('Hello', ' there')
    await settle()
    await scene.clock.advanceAsync(1_234)
    scene.agent.turn.end(stopReason)
    await settle()
    expect(sink.events.at(-1)).toMatchObject({
      event: 'turn_completed',
      data: { text: 'Hello there', durationMs: 1_234, stopReason },
    })
    expect(session.status).toBe('idle')
  })

  it('leaves the session idle before the page hears of its end', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    let status = ''
    const write = sink.write.bind(sink)
    sink.write = (text) => {
      if (text.includes('turn_completed')) status = session.status
      return write(text)
    }
    scene.agent.turn.end()
    await settle()
    expect(status).toBe('idle')
  })

  it('tells the channel when it begins for the AI and when it is over for the page', async () => {
    const session = await begin().prepare().running()
    expect(session.channel.calls).toEqual(['begin'])
    session.cancelTurn()
    expect(session.channel.calls).toEqual(['begin', 'end'])
  })

  it('is over at its turn_end, even when the AI takes its time to finish', async () => {
    const session = await begin().prepare().running()
    const { turn } = scene.agent
    turn.text('done').emit({ type: 'turn_end', stopReason: 'end_turn' })
    await settle()
    expect(session.status).toBe('idle')
    expect(session.prompt('next').status).toBe('running')
    await settle()
    expect(scene.agent.session.turns).toHaveLength(1)
    turn.text('ignored').end()
    await settle()
    expect(scene.agent.session.turns).toHaveLength(2)
  })

  it('survives an AI that fails after it has ended the turn', async () => {
    const session = await begin().prepare().running()
    scene.agent.turn.emit({ type: 'turn_end', stopReason: 'end_turn' }).fail(new Error('clean-up'))
    await settle()
    expect(session.status).toBe('idle')
    expect(scene.problems).toHaveLength(1)
  })
})

describe('a turn that can’t be carried out', () => {
  it('is failed in the AI’s own words, never completed with a part of the answer (FC-12)', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    scene.agent.turn.text('Part').fail(new AgentError('failed', 'The model server reported: engine overloaded'))
    await settle()
    expect(sink.events.slice(1)).toMatchObject([
      { event: 'chunk', data: 'Part' },
      { event: 'failed', data: 'The model server reported: engine overloaded' },
    ])
    expect(sink.state).toBe('ended')
    expect(session.info()).toMatchObject({ status: 'failed', code: 'failed' })
    expect(scene.agent.running).toBe(0)
  })

  it('is failed when the AI stops without an end', async () => {
    const session = await begin().prepare().running()
    scene.agent.turn.text('Part').finish()
    await settle()
    expect(session.info()).toMatchObject({
      status: 'failed',
      error: 'The AI stopped in the middle of its answer.',
      code: 'failed',
    })
  })

  it('is failed in plain words when nobody expected the error', async () => {
    const session = await begin().prepare().running()
    scene.agent.turn.fail(new TypeError('x is not a function'))
    await settle()
    expect(session.info().error).toMatch(/^Something went wrong in the engine \(error [0-9a-f]{8}\)\.$/)
    expect(scene.problems).toHaveLength(1)
  })
})

describe('cancel-turn', () => {
  it('frees the page at once: the turn ends as cancelled with the text so far, the session is idle', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running()
    const { sink } = session.read()
    scene.agent.turn.text('so far')
    await settle()
    await scene.clock.advanceAsync(40)
    expect(session.cancelTurn()).toEqual({ sessionId: session.id, status: 'idle' })
    // Already written: the answer to the call can't overtake the turn's last chunks (FC-14).
    expect(sink.events.slice(1)).toMatchObject([
      { event: 'chunk', data: 'so far' },
      { event: 'turn_completed', data: { text: 'so far', durationMs: 40, stopReason: 'cancelled' } },
    ])
    expect(scene.agent.turn.cancelled).toBe(true)
    scene.agent.turn.end()
    await settle()
    expect(sink.names).toHaveLength(3)
  })

  it.each(['pending_approval', 'idle', 'ended'])('does nothing outside a turn: %s', async (when) => {
    const session = begin().prepare()
    if (when === 'idle') await session.idle()
    if (when === 'ended') session.cancel()
    const { status } = session
    expect(session.cancelTurn()).toEqual({ sessionId: session.id, status })
    await settle()
    expect(session.status).toBe(status)
  })

  it('keeps late text of the cancelled turn out of the next one, which waits until the AI has settled (FC-16)', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running('first')
    const { sink } = session.read()
    const first = scene.agent.turn
    first.text('one')
    await settle()
    session.cancelTurn()
    expect(session.prompt('second').status).toBe('running')
    first.text('late-1')
    await settle()
    await scene.clock.advanceAsync(200)
    first.text('late-2')
    await settle()
    expect(scene.agent.session.turns).toHaveLength(1)
    await scene.clock.advanceAsync(200)
    first.end('end_turn')
    await settle()
    expect(scene.agent.turn.prompt.text).toBe('second')
    scene.agent.turn.text('two').end()
    await settle()
    expect(sink.events.slice(1).map(({ event, data }) => [event, data])).toEqual([
      ['chunk', 'one'],
      ['turn_completed', { text: 'one', durationMs: 0, stopReason: 'cancelled' }],
      ['turn_start', null],
      ['chunk', 'two'],
      ['turn_completed', { text: 'two', durationMs: 0, stopReason: 'end_turn' }],
    ])
    expect(scene.clock.pending).toBe(1) // the heartbeat
  })

  it('fails the session when the AI has not settled 10 s after the next prompt, and not before (FC-16 B)', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running()
    session.cancelTurn()
    await scene.clock.advanceAsync(60_000)
    expect(session.status).toBe('idle')
    session.prompt('second')
    await scene.clock.advanceAsync(9_999)
    expect(session.status).toBe('running')
    await scene.clock.advanceAsync(1)
    expect(session.info()).toMatchObject({
      status: 'failed',
      error: 'The AI did not stop after the last turn was cancelled.',
      code: 'timed_out',
    })
    expect(scene.agent.running).toBe(0)
  })

  it('cancels a held prompt too: the AI never gets it, and the one after it waits in its turn', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running('first')
    const { sink } = session.read()
    const first = scene.agent.turn
    session.cancelTurn()
    session.prompt('second')
    await scene.clock.advanceAsync(9_000)
    session.cancelTurn()
    expect(session.status).toBe('idle')
    session.prompt('third')
    await scene.clock.advanceAsync(9_000)
    expect(session.status).toBe('running')
    first.end()
    await settle()
    expect(scene.agent.session.turns.map(({ prompt }) => prompt.text)).toEqual(['first', 'third'])
    scene.agent.turn.text('3').end()
    await settle()
    expect(sink.events.filter(({ event }) => event === 'turn_completed').map(({ data }) => data)).toMatchObject([
      { text: '', stopReason: 'cancelled' },
      { text: '', stopReason: 'cancelled', durationMs: 0 },
      { text: '3', stopReason: 'end_turn' },
    ])
  })

  it('reaches the AI at once, which then takes the next prompt without waiting (FC-14)', async () => {
    const script = [
      { type: 'text', text: 'tick' },
      { type: 'pause', ms: 60_000 },
    ] as const
    const session = begin({ turns: [script] }).prepare({ prompt: 'count' })
    session.approve()
    await settle()
    session.cancelTurn()
    session.prompt('again')
    await settle()
    expect(scene.agent.turn.prompt.text).toBe('again')
    expect(scene.clock.now()).toBe(0)
  })

  it('during the start: the turn ends as cancelled, and the prompt is never sent', async () => {
    const session = begin({ start: 'by_hand' }).prepare({ prompt: 'hello' })
    const { sink } = session.read()
    session.approve()
    await settle()
    expect(session.cancelTurn().status).toBe('idle')
    expect(sink.names).toEqual(['webmcp_ready', 'turn_start', 'turn_completed'])
    const ai = scene.agent.openings[0]?.succeed()
    await settle()
    expect(ai?.turns).toEqual([])
    expect(session.status).toBe('idle')
    expect(session.channel.calls).toEqual([])
    session.prompt('now')
    await settle()
    expect(ai?.turns.map(({ prompt }) => prompt.text)).toEqual(['now'])
  })

  it('during the start: a next prompt waits for the AI to be up', async () => {
    const session = begin({ start: 'by_hand' }).prepare({ prompt: 'hello' })
    session.approve()
    session.cancelTurn()
    session.prompt('instead')
    await scene.clock.advanceAsync(30_000)
    expect(session.status).toBe('running')
    const ai = scene.agent.openings[0]?.succeed()
    await settle()
    expect(ai?.turns.map(({ prompt }) => prompt.text)).toEqual(['instead'])
  })

  it('during the start: an AI that then can’t start fails the session all the same', async () => {
    const session = begin({ start: 'by_hand' }).prepare({ prompt: 'hello' })
    session.approve()
    session.cancelTurn()
    scene.agent.openings[0]?.fail(new AgentError('signed_out', 'Sign in first.'))
    await settle()
    expect(session.info()).toMatchObject({ status: 'failed', error: 'Sign in first.', code: 'signed_out' })
  })

  it('does nothing during a start without a prompt', async () => {
    const session = begin({ start: 'by_hand' }).prepare()
    const { sink } = session.read()
    session.approve()
    expect(session.cancelTurn().status).toBe('running')
    scene.agent.openings[0]?.succeed()
    await settle()
    expect(sink.names).toEqual(['webmcp_ready', 'ready'])
  })
})

describe('an AI that ends by itself', () => {
  const crash = { clean: false, reason: 'The AI’s program ended unexpectedly (code 1).' }

  it('with code 0 on an idle session completes it', async () => {
    const session = await begin().prepare().idle()
    const { sink } = session.read()
    scene.agent.session.exit()
    await settle()
    expect(sink.names.at(-1)).toBe('completed')
    expect(session.info().error).toBeUndefined()
  })

  it('in any other way on an idle session fails it at once; a later prompt gets 400 (FC-17 B)', async () => {
    const session = await begin().prepare().idle()
    const { sink } = session.read()
    scene.agent.session.exit(crash)
    await settle()
    expect(sink.events.at(-1)).toMatchObject({ event: 'failed', data: crash.reason })
    expect(sink.state).toBe('ended')
    expect(session.info()).toMatchObject({ status: 'failed', error: crash.reason, code: 'crashed' })
    expect(() => session.prompt('x')).toThrow('The session has ended (failed): its AI is gone.')
  })

  it.each([
    ['with code 1 (A1)', crash, crash.reason],
    ['with code 0 (A2)', { clean: true, reason: 'The AI ended.' }, 'The AI ended in the middle of a turn.'],
  ])('in the middle of a turn %s fails the session within 2 s (FC-17)', async (_, exit, reason) => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    scene.agent.turn.text('half')
    scene.agent.session.exit(exit)
    await scene.clock.advanceAsync(2_000)
    expect(sink.names).toEqual(['webmcp_ready', 'chunk', 'failed'])
    expect(session.info()).toMatchObject({ status: 'failed', error: reason, code: 'crashed' })
    for (let count = 0; count < 4; count += 1) scene.prepare()
  })

  it('fails at once when the turn fails with it, in the turn’s words', async () => {
    const session = await begin().prepare().running()
    scene.agent.session.exit(crash)
    scene.agent.turn.fail(new AgentError('crashed', 'The AI’s program was killed (SIGKILL).'))
    await settle()
    expect(session.info()).toMatchObject({ status: 'failed', error: 'The AI’s program was killed (SIGKILL).' })
  })

  it('just after its answer: the answer counts, then the end does', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    scene.agent.session.exit({ clean: true, reason: 'The AI ended.' })
    await settle()
    scene.agent.turn.text('all of it').end()
    await settle()
    expect(sink.names).toEqual(['webmcp_ready', 'chunk', 'turn_completed', 'completed'])
    expect(session.status).toBe('completed')
  })

  it('while a cancelled turn settles completes the session, code 0 that is', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running()
    session.cancelTurn()
    scene.agent.session.exit()
    await settle()
    expect(session.status).toBe('completed')
  })

  it('during a turn that is then cancelled ends the session after the turn', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running()
    scene.agent.session.exit(crash)
    await settle()
    expect(session.cancelTurn().status).toBe('failed')
    expect(session.info().error).toBe(crash.reason)
  })

  it('while the next prompt is held fails the session', async () => {
    const session = await begin({ onCancel: 'ignore' }).prepare().running()
    session.cancelTurn()
    session.prompt('second')
    scene.agent.session.exit(crash)
    await settle()
    expect(session.info()).toMatchObject({ status: 'failed', error: crash.reason })
  })

  it('after the session has ended changes nothing', async () => {
    const session = await begin().prepare().idle()
    session.close()
    scene.agent.session.exit(crash)
    await settle()
    expect(session.status).toBe('completed')
  })

  it('frees its place among the origin’s four (FC-17)', async () => {
    begin({ start: new AgentError('unavailable', 'The AI’s program was not found.') })
    for (let count = 0; count < 8; count += 1) {
      const session = scene.prepare()
      session.approve()
      await settle()
      expect(session.info()).toMatchObject({ status: 'failed', error: 'The AI’s program was not found.' })
    }
  })
})

describe('a page that leaves', () => {
  it('does not stop the turn by closing its stream (FC-14)', async () => {
    const session = await begin().prepare().running()
    const { detach } = session.read()
    scene.agent.turn.text('a')
    detach()
    await settle()
    expect(scene.agent.turn.cancelled).toBe(false)
    scene.agent.turn.text('b').end()
    await settle()
    expect(session.read().sink.events.at(-1)).toMatchObject({ event: 'turn_completed', data: { text: 'ab' } })
  })
})
