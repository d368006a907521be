/** A scripted AI whose every word and call is written down: the truth that pages are measured by. */
import {
  AgentError,
  type AgentAdapter,
  type AgentSession,
  type OpenOptions,
  type PageTools,
  type ToolOutcome,
  type TurnEvent,
} from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { between, pick, type Random, type ScriptedAgent, scriptedAgent, type ScriptStep, seededRandom, type TurnScript } from '@leuria/testing' // prettier-ignore

/** What the AI has said in one turn. */
export interface SpokenTurn {
  prompt: string
  text: string
  /** It has said everything it wanted to, in order. */
  whole: boolean
}

/** A call of the page's tool, and every way it was answered. */
export interface RecordedCall {
  n: number
  outcomes: ToolOutcome[]
}

export class RecordedAi implements AgentAdapter {
  readonly id = 'recorded'
  readonly name = 'Recorded AI'
  readonly turns: SpokenTurn[] = []
  readonly calls: RecordedCall[] = []
  readonly scripted: ScriptedAgent

  constructor(clock: Clock) {
    this.scripted = scriptedAgent({ clock, turns: ({ text }) => this.#write(text) })
  }

  async open(options: OpenOptions): Promise<AgentSession> {
    const page = options.tools
    const tools: PageTools = {
      listTools: () => page.listTools(),
      listResources: () => page.listResources(),
      listPrompts: () => page.listPrompts(),
      limitCalls: (limit) => {
        page.limitCalls(limit)
      },
      readResource: (uri, signal) => page.readResource(uri, signal),
      getPrompt: (name, args, signal) => page.getPrompt(name, args, signal),
      subscribe: (listener) => page.subscribe(listener),
      call: async (call) => {
        const { n } = call.arguments as { n: number }
        const recorded: RecordedCall = { n, outcomes: [] }
        this.calls.push(recorded)
        const outcome = await page.call(call)
        recorded.outcomes.push(outcome)
        return outcome
      },
    }
    const session = await this.scripted.open({ ...options, tools })
    return {
      exited: session.exited,
      close: () => session.close(),
      prompt: (prompt, signal) => this.#record(session.prompt(prompt, signal), prompt.text),
    }
  }

  async *#record(events: AsyncIterable<TurnEvent>, prompt: string): AsyncGenerator<TurnEvent> {
    const turn: SpokenTurn = { prompt, text: '', whole: false }
    this.turns.push(turn)
    for await (const event of events) {
      if (event.type === 'text') turn.text += event.text
      else if (event.type === 'turn_end') turn.whole = event.stopReason !== 'cancelled'
      yield event
    }
  }

  /** What the AI does with a prompt: by chance, from the seed in it. */
  #write(prompt: string): TurnScript {
    const random = seededRandom(Number(/seed (\d+)/.exec(prompt)?.[1] ?? 0))
    // Every turn says first which one it is, so that a reader's text can be told from any other's.
    const steps: ScriptStep[] = [{ type: 'text', text: `<${this.turns.length - 1}>` }]
    for (let count = between(random, 2, 20); count > 0; count -= 1) steps.push(this.#step(random, count))
    return [...steps, ...lastSteps(random)]
  }

  #step(random: Random, at: number): ScriptStep {
    const roll = random()
    if (roll < 0.5) return { type: 'text', text: ` ${at} mögen 🌱${'x'.repeat(between(random, 0, 40))}` }
    if (roll < 0.65) return { type: 'pause', ms: between(random, 1, 150) }
    if (roll < 0.85) return { type: 'call', name: 'echo', arguments: { n: Math.floor(random() * 1e9) } }
    if (roll < 0.9) return { type: 'flood', text: 'ha', count: between(random, 10, 300), perTick: 7 }
    return { type: 'thought', text: 'hm' }
  }
}

function lastSteps(random: Random): ScriptStep[] {
  const roll = random()
  if (roll < 0.8)
    return [{ type: 'turn_end', stopReason: pick(random, ['end_turn', 'end_turn', 'max_tokens', 'refusal']) }]
  // Nothing but a cancel ends this one.
  if (roll < 0.92) return [{ type: 'hang' }]
  if (roll < 0.96) return [{ type: 'throw', error: new AgentError('failed', 'The AI broke.') }]
  return [{ type: 'exit', exit: { clean: false, reason: 'The AI crashed.' } }]
}
