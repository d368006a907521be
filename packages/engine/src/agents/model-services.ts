/** The services of models that there are: Ollama and LM Studio at their places, and what the visitor saved. */
import type { ModelService } from '@leuria/agent'
import { createLmStudioService } from '@leuria/agent-lmstudio'
import { createOllamaService } from '@leuria/agent-ollama'
import { createOpenAiService } from '@leuria/agent-openai'
import { type ServiceAddress, serviceAddresses } from '@leuria/ai-choice'
import type { Clock } from '@leuria/clock'
import type { Provider } from '@leuria/protocol'

export interface ModelServicesOptions {
  /** Saved providers, from memory; a new array after each change. */
  saved: () => readonly Provider[]
  /** For `OLLAMA_HOST`. */
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
}

export interface ModelServices {
  /** In the visitor's order. The same object for a service as long as what was saved of it stays the same. */
  list(): readonly ModelService[]
  find(id: string): ModelService | undefined
  /** Stops looking for models. Idempotent. */
  close(): void
}

interface Known {
  /** Tells whether anything about its address or key has changed. */
  mark: string
  service: ModelService
}

function openService(provider: ServiceAddress, options: ModelServicesOptions): ModelService {
  const { clock, env } = options
  if (provider.kind === 'ollama') return createOllamaService({ provider, clock, env })
  if (provider.kind === 'lmstudio') return createLmStudioService({ provider, clock })
  return createOpenAiService({ provider, clock })
}

export function createModelServices(options: ModelServicesOptions): ModelServices {
  let known = new Map<string, Known>()
  let seen: readonly Provider[] | null = null

  /** Only when the file has changed is anything compared: this runs on every `GET /health`. */
  const current = (): Map<string, Known> => {
    const saved = options.saved()
    if (saved === seen) return known
    seen = saved
    const before = known
    known = new Map(
      serviceAddresses(saved, options.env).map((address) => {
        const mark = JSON.stringify(address)
        const old = before.get(address.id)
        return [address.id, old?.mark === mark ? old : { mark, service: openService(address, options) }]
      }),
    )
    for (const [id, { service }] of before) if (known.get(id)?.service !== service) service.close()
    return known
  }
  return {
    list: () => [...current().values()].map(({ service }) => service),
    find: (id) => current().get(id)?.service,
    close() {
      for (const { service } of known.values()) service.close()
    },
  }
}
