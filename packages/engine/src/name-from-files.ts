/** The default AI's name as the files alone tell it, for an engine that says that it listens before its AIs are loaded. */
import { resolveAi, serviceAddresses } from '@leuria/ai-choice'
import { parseAgentId } from '@leuria/protocol'
import { aiName } from './agents/ai-name.js'
import type { Settings } from './engine-options.js'
import type { Home } from './home.js'

/** Ids whose agents have to be known before anybody can be told their names. */
export function namesAgents({ defaultAgent, mode }: Settings, home: Home): boolean {
  const ids = [defaultAgent, home.config.value.agent, ...home.grants.list().map(({ agent }) => agent)]
  return mode === 'app' || ids.some((id) => id !== undefined && parseAgentId(id)?.kind === 'agent')
}

/** `null`: it has to be looked for, or whether it is there at all; nobody may be told before. */
export function nameFromFiles(settings: Settings, home: Home): string | null {
  if (settings.agents !== undefined || settings.defaultAgent !== undefined || namesAgents(settings, home)) return null
  const { agent, models } = home.config.value
  const addresses = serviceAddresses(home.providers.value.providers, process.env)
  return aiName(resolveAi(null, { agent, models }), {
    service(id) {
      const address = addresses.find((each) => each.id === id)
      return address && { name: address.name, models: () => ({ models: [] }) }
    },
    agentName: () => undefined,
  })
}
