/** For this package's tests: opens a session of the demo AI without pauses, and asks it. */
import type { AgentSession, PageTools, TurnEvent } from '@leuria/agent'
import { fakeClock } from '@leuria/testing'
import { createDemoAgent } from './index.js'

export async function openDemo(tools: PageTools, options: { maxTurns?: number } = {}): Promise<AgentSession> {
  const clock = fakeClock(new Date(2026, 2, 10, 12))
  return createDemoAgent({ clock, wordDelayMs: 0 }).open({
    sessionId: 'test',
    tools,
    mcp: { url: 'http://127.0.0.1:9/', token: 'unused' },
    signal: new AbortController().signal,
    log: () => undefined,
    ...options,
  })
}

export interface Asked {
  text: string
  events: TurnEvent[]
}

export async function ask(
  session: AgentSession,
  question: string,
  signal = new AbortController().signal,
): Promise<Asked> {
  const events: TurnEvent[] = []
  for await (const event of session.prompt({ text: question }, signal)) events.push(event)
  return { events, text: events.map((event) => (event.type === 'text' ? event.text : '')).join('') }
}
