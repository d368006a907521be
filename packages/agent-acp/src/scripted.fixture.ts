/** A session with a scripted agent in this process: what most tests of this package begin with. */
import type { AgentSession, AuditEntry, OpenOptions, TurnEvent } from '@leuria/agent'
import {
  type AcpScript,
  collectTurn,
  type FakeClock,
  fakeClock,
  type FakePageTools,
  fakePageTools,
  type ScriptedAcpAgent,
  type ScriptedAcpLaunch,
  scriptedAcpLaunch,
} from '@leuria/testing'
import { onTestFinished } from 'vitest'
import { type AcpAgent, type AcpAgentOptions, createAcpAgent } from './index.js'

export interface Scene {
  adapter: AcpAgent
  started: ScriptedAcpLaunch
  clock: FakeClock
  tools: FakePageTools
  audit: AuditEntry[]
  log: string[]
  /** The newest agent. */
  agent: () => ScriptedAcpAgent
  open: (options?: Partial<OpenOptions>) => Promise<AgentSession>
  /** Opens a session and runs a turn to its end. */
  turn: (text?: string, options?: Partial<OpenOptions>) => Promise<TurnEvent[]>
}

export const TOOLS = {
  find_items: { inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
  place_order: { inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] } },
} as const

export function scene(
  script: AcpScript | ((start: number) => AcpScript) = {},
  options: Partial<AcpAgentOptions> = {},
): Scene {
  const clock = fakeClock()
  const tools = fakePageTools(TOOLS)
  const audit: AuditEntry[] = []
  const log: string[] = []
  const started = scriptedAcpLaunch(script)
  const adapter = createAcpAgent({
    id: 'scripted',
    name: 'Scripted agent',
    command: 'scripted-agent',
    launch: started.launch,
    trusted: true,
    clock,
    audit: { record: (entry) => audit.push(entry) },
    log: (line) => log.push(line),
    ...options,
  })
  onTestFinished(() => adapter.close())
  const open = (more: Partial<OpenOptions> = {}): Promise<AgentSession> =>
    adapter.open({
      sessionId: 's1',
      site: 'https://shop.example',
      tools,
      mcp: { url: 'http://127.0.0.1:9/webmcp/mcp', token: 'agent-token' },
      signal: new AbortController().signal,
      log: (line) => log.push(line),
      ...more,
    })
  return {
    adapter,
    started,
    clock,
    tools,
    audit,
    log,
    agent: () => started.agent,
    open,
    turn: async (text = 'hello', more = {}) =>
      collectTurn((await open(more)).prompt({ text }, new AbortController().signal)),
  }
}
