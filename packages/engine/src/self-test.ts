/** The self-test as the desktop app's route wants it. The test itself stands on the engine and is passed in. */
import type { AiTest } from '@leuria/admin-api'
import { type AdminTestReply, parseAgentId } from '@leuria/protocol'
import type { AgentChoice, AgentSource } from './agents/agent-source.js'

/** `runSelfTest` of `@leuria/self-test`. */
export type SelfTest = (options: {
  agents: AgentSource
  choice: AgentChoice | null
  signal: AbortSignal
  onStep: (step: { name: string; ok: boolean; detail: string }) => void
  onStatus: (text: string) => void
  /** Also whether it stays inside: for AIs that are programs with tools of their own. */
  box?: { harmless: readonly string[] }
}) => Promise<{ ok: boolean; steps: readonly { name: string; ok: boolean; detail: string }[] }>

export function testWith(selfTest: SelfTest, agents: AgentSource): AiTest {
  return async ({ agent, ...hooks }): Promise<AdminTestReply> => {
    const choice = agent === null ? null : { agent }
    const id = agents.idFor(choice)
    // Services have no tools besides the page's; an agent is a program with its own.
    const isAgent = parseAgentId(id)?.kind === 'agent'
    const box = isAgent ? { harmless: (await import('@leuria/agent-acp')).findProfile(id).ownTools } : undefined
    const { ok, steps } = await selfTest({ agents, choice, ...hooks, ...(box === undefined ? {} : { box }) })
    return { ok, steps: [...steps] }
  }
}
