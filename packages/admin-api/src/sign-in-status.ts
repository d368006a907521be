/** What the window is told of an agent's sign-in: let in or not, by which ways, and what each way needs. */
import type { AgentState } from '@leuria/agent-acp'
import { type AdminSignIn, EngineError } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { findAi } from './visitor-ais.js'

type Method = AdminSignIn['methods'][number]

function showMethod({ id, name, description, type }: AgentState['authMethods'][number]): Method {
  const way = type === undefined || type === 'agent' ? 'here' : type === 'terminal' ? 'terminal' : 'other'
  return { id, name: name ?? id, ...(description === undefined ? {} : { description }), way }
}

export function showSignIn(name: string, { signedIn, authMethods, models }: AgentState): AdminSignIn {
  return {
    ok: signedIn,
    detail: signedIn ? `${name} lets you in.` : `${name} asks you to sign in.`,
    methods: authMethods.map(showMethod),
    ...(models === null ? {} : { models: models.models.map((model) => ({ id: model.id, name: model.name })) }),
  }
}

/** Which agent is meant. `null`: an AI that is no agent, which needs no sign-in. @throws EngineError `not_found` */
export async function signInAgent(parts: AdminParts, id: string): Promise<{ id: string; name: string } | null> {
  const ai = parts.ais.list().find((one) => one.id === id)
  if (ai !== undefined && ai.kind !== 'agent') return null
  const agent = await parts.setup.find(id)
  if (agent === null) throw new EngineError('not_found', `There is no agent "${id}" on this computer.`)
  return { id: agent.id, name: agent.name }
}

/** Of an AI without a sign-in. @throws EngineError `not_found` */
export function withoutSignIn(parts: AdminParts, id: string): AdminSignIn {
  const { name, usable, problem } = findAi(parts.ais, id)
  return { ok: usable, detail: problem ?? `${name} needs no sign-in.`, methods: [] }
}

/** Starts the agent to ask it. One that doesn't work is a status, too: its words are the detail. */
export async function askSignIn(
  parts: AdminParts,
  agent: { id: string; name: string },
  signal: AbortSignal,
): Promise<AdminSignIn> {
  try {
    return showSignIn(agent.name, await parts.setup.inspect(agent.id, { signal }))
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unusable')
      return { ok: false, detail: error.message, methods: [] }
    throw error
  }
}
