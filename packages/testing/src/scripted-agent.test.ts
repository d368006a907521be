import { type AgentSession, type TurnEvent, AgentError } from '@leuria/agent'
import { describe, expect, it } from 'vitest'
import {
  agentAdapterContract,
  collectTurn,
  fakeClock,
  fakePageTools,
  FLOOD,
  type ScriptedAgent,
  scriptedAgent,
  settle,
  textOf,
  type TurnScript,
} from './index.js'

const end = { type: 'turn_end', stopReason: 'end_turn' } as const
const text = (piece: string) => ({ type: 'text', text: piece }) as const

const SCENES: Readonly<Record<string, TurnScript>> = {
  answer: [text('Hello'), text(' there.'), end],
  call_tool: [{ type: 'call', name: 'find_items', arguments: { query: 'mug' } }, text(' That is all.'), end],
  silence: [{ type: 'hang' }],
  talk: [text('Well'), { type: 'hang' }],
  flood: [{ type: 'flood', ...FLOOD }, end],
  die: [text('Well'), { type: 'throw', error: new AgentError('failed', 'The AI is gone.') }],
}

agentAdapterContract(
  'the scripted AI',
  async () => ({
    adapter: scriptedAgent({ turns: ({ text: scene }) => SCENES[scene] }),
    play: (scene) => ({ text: scene }),
  }),
  {
    // It speaks no protocol, and does to a cancel what a test says.
    without: ['garbage', 'deaf', 'leave'],
  },
)

function open(agent: ScriptedAgent): Promise<AgentSession> {
  return agent.open({
    sessionId: 's',
    tools: fakePageTools(),
    mcp: { url: '', token: '' },
    signal: new AbortController().signal,
    log: () => undefined,
  })
}

describe('a scripted AI', () => {
  it('does by hand what the test says', async () => {
    const agent = scriptedAgent()
    const session = await open(agent)
    const events = collectTurn(session.prompt({ text: 'hi' }, new AbortController().signal))
    await settle()
    expect(agent.turn.prompt.text).toBe('hi')
    agent.turn.text('a', 'b').end('max_tokens')
    expect(await events).toEqual([text('a'), text('b'), { type: 'turn_end', stopReason: 'max_tokens' }])
  })

  it('fails a turn, and starts only when told', async () => {
    const agent = scriptedAgent({ start: 'by_hand' })
    const opening = open(agent)
    expect(agent.running).toBe(0)
    agent.openings[0]?.succeed()
    const session = await opening
    const events = collectTurn(session.prompt({ text: 'hi' }, new AbortController().signal))
    await settle()
    agent.turn.fail(new AgentError('failed', 'No.'))
    await expect(events).rejects.toThrow('No.')
    expect(agent.running).toBe(1)
    await session.close()
    expect(agent.running).toBe(0)
  })

  it('can refuse to start', async () => {
    await expect(open(scriptedAgent({ start: new AgentError('unavailable', 'Not there.') }))).rejects.toThrow(
      'Not there.',
    )
  })

  it('goes on after a cancel when it is to ignore it', async () => {
    const agent = scriptedAgent({ onCancel: 'ignore' })
    const session = await open(agent)
    const cancel = new AbortController()
    const events = collectTurn(session.prompt({ text: 'hi' }, cancel.signal))
    await settle()
    cancel.abort()
    agent.turn.text('late').end()
    expect(textOf(await events)).toBe('late')
  })

  it('waits on the clock, floods, and dies in the middle', async () => {
    const clock = fakeClock()
    const script: TurnScript = [
      { type: 'pause', ms: 1_000 },
      { type: 'flood', text: 'x', count: 100, perTick: 30 },
      { type: 'exit', exit: { clean: false, reason: 'Killed.' } },
    ]
    const session = await open(scriptedAgent({ clock, turns: [script] }))
    const events: TurnEvent[] = []
    const cancel = new AbortController()
    const turn = (async () => {
      for await (const event of session.prompt({ text: 'hi' }, cancel.signal)) events.push(event)
    })()
    await settle()
    expect(events).toEqual([])
    await clock.advanceAsync(1_000)
    expect(await session.exited).toEqual({ clean: false, reason: 'Killed.' })
    expect(textOf(events)).toHaveLength(100)
    cancel.abort()
    await turn
    expect(clock.pending).toBe(0)
  })

  it.each([
    ['hangs', 'hang' as const],
    ['fails', new Error('stuck')],
  ])('%s when closed, if it is to', async (_, onClose) => {
    const session = await open(scriptedAgent({ onClose }))
    const outcome = await Promise.race([
      session.close().then(
        () => 'closed',
        () => 'failed',
      ),
      settle().then(() => 'hangs'),
    ])
    expect(outcome).toBe(onClose === 'hang' ? 'hangs' : 'failed')
  })
})
