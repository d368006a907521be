/**
 * Installing, signing in to and removing the visitor's agents, for the desktop app. Joins the registry, the boxes and the
 * note of who is signed in; foreign errors get a status here, once.
 */
import { AgentError } from '@leuria/agent'
import type { AgentSetup } from '@leuria/admin-api'
import type { AcpAgent, AgentState } from '@leuria/agent-acp'
import { type ErrorCode, EngineError } from '@leuria/protocol'
import type { AcpAgents } from './acp-agents.js'

export interface AgentSetupOptions {
  acp: AcpAgents
  /** Ends the sessions that run on an agent. */
  endSessions: (id: string) => void
  /** Hears whether an agent let us in. */
  seen: (id: string, ok: boolean) => void
}

/** What the app can act on; everything else can't be had on this computer, with the reason. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  unknown_agent: 'not_found',
  unverified: 'unverified',
  invalid: 'bad_request',
  cancelled: 'conflict',
}

/** An agent's or the registry's refusal, with its words. The registry's class isn't loaded for this: its name is enough. */
function refusal(error: unknown): unknown {
  if (error instanceof AgentError) return new EngineError('unusable', error.message, { cause: error })
  if (!(error instanceof Error) || error.name !== 'RegistryError') return error
  const code = 'code' in error && typeof error.code === 'string' ? CODES[error.code] : undefined
  return new EngineError(code ?? 'unusable', error.message, { cause: error })
}

async function refusing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw refusal(error)
  }
}

export function createAgentSetup({ acp, endSessions, seen }: AgentSetupOptions): AgentSetup {
  const open = async (id: string): Promise<AcpAgent> => {
    const agent = await refusing(acp.open(id))
    if (agent === null) throw new EngineError('not_found', `There is no agent "${id}" on this computer.`)
    return agent
  }
  const noting = async (id: string, work: Promise<AgentState>, method?: string): Promise<AgentState> => {
    const state = await refusing(work)
    await acp.note(id, { ok: state.signedIn, version: state.version, method })
    seen(id, state.signedIn)
    return state
  }
  return {
    list: async () => (await acp.registry()).list(),
    find: async (id) => (await acp.registry()).find(id),
    install: async (id, options) => refusing((await acp.registry()).install(id, options)),
    async remove(id) {
      const known = (await (await acp.registry()).find(id))?.id ?? id
      endSessions(known)
      await acp.forget(known)
      return (await acp.registry()).remove(known)
    },
    noted: (id) => acp.noted(id),
    inspect: async (id, options) => noting(id, (await open(id)).inspect(options)),
    signIn: async (id, method, options) => noting(id, (await open(id)).signIn(method, options), method),
  }
}
