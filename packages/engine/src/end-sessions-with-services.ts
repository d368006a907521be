/** When the visitor removes a saved service, or changes its address, key or headers, sessions on it end: none may go on with a key that was taken back. */
import { type AiSettings, resolveAi, type SiteChoice, serviceAddresses } from '@leuria/ai-choice'
import { parseAgentId, type ProvidersFile } from '@leuria/protocol'
import { endChangedSessions, type SessionsToEnd } from './end-changed-sessions.js'
import type { Home } from './home.js'

export interface EndWithServicesOptions extends SessionsToEnd {
  config: Home['config']
  providers: Home['providers']
  /** The default AI of this run. */
  defaultAgent: string | undefined
}

/** How each service is reached; its name alone is nobody's reason to end. */
function reach({ providers }: ProvidersFile): ReadonlyMap<string, string> {
  return new Map(
    serviceAddresses(providers, process.env).map(({ id, kind, baseUrl, apiKey, headers }) => [
      id,
      JSON.stringify([kind, baseUrl, apiKey, headers]),
    ]),
  )
}

/** Listens to `providers.json`, whichever process changes it. Returns its undo. */
export function endSessionsWithServices(options: EndWithServicesOptions): () => void {
  const { config, providers, defaultAgent, ...ending } = options
  return providers.subscribe((value, previous) => {
    const [before, after] = [reach(previous), reach(value)]
    const settings: AiSettings = { ...config.value, agent: defaultAgent ?? config.value.agent }
    const isChanged = (choice: SiteChoice | null): boolean => {
      const id = parseAgentId(resolveAi(choice, settings).id)
      return id?.kind === 'llm' && before.get(id.provider) !== after.get(id.provider)
    }
    endChangedSessions(ending, isChanged, 'The AI service was changed or removed.')
  })
}
