/**
 * The AI that is always there: it has no model and says so in its name. It calls the page's tools by the words of a
 * question, so that everything around it can be tried before an AI is set up.
 */
import { AgentError, type AgentAdapter } from '@leuria/agent'
import { type Clock, systemClock } from '@leuria/clock'
import { DEMO_AGENT_ID } from '@leuria/protocol'
import { DEMO_AGENT_NAME } from './demo-name.js'
import { DemoSession } from './demo-session.js'

export interface DemoAgentOptions {
  /** @default the system's clock */
  clock?: Clock
  /** Pause before each word of an answer, in ms; 0 for none. A long answer waits 1.5 s in all at most. @default 12 */
  wordDelayMs?: number
}

/** Makes the adapter. It holds nothing of its own; each session is closed by whoever opened it. */
export function createDemoAgent(options: DemoAgentOptions = {}): AgentAdapter {
  const settings = { clock: options.clock ?? systemClock, wordDelayMs: options.wordDelayMs ?? 12 }
  return {
    id: DEMO_AGENT_ID,
    name: DEMO_AGENT_NAME,
    async open({ tools, maxTurns, signal }) {
      if (signal.aborted) throw new AgentError('failed', 'The conversation ended before the AI was ready.')
      return new DemoSession({ tools, maxTurns }, settings)
    },
  }
}
