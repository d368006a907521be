/**
 * Which services of models there are: Ollama and LM Studio at their usual places, and what the visitor saved.
 * Only addresses; whether anything answers there is found out elsewhere.
 */
import type { Provider } from '@leuria/protocol'
import { ollamaRoot } from './ollama-host.js'

export interface ServiceAddress {
  id: string
  kind: 'ollama' | 'lmstudio' | 'openai'
  /** For people. */
  name: string
  /** With its version segment, without a slash at the end. */
  baseUrl: string
  apiKey?: string
  /** Sent with every request to it. May be secret. */
  headers?: Readonly<Record<string, string>>
  /** It was saved by the visitor; false: it is looked for because many have it. */
  saved: boolean
}

/** Where LM Studio listens unless told otherwise (its manual, "Local server"). */
export const LM_STUDIO_URL = 'http://127.0.0.1:1234/v1'

/**
 * LM Studio and Ollama first, then the saved ones in their order. A saved provider with the id `lmstudio` or `ollama`
 * takes the place of the built-in one, and is of that kind whatever was saved as its kind.
 * @param env for `OLLAMA_HOST`
 */
export function serviceAddresses(
  saved: readonly Provider[],
  env: Readonly<Record<string, string | undefined>>,
): ServiceAddress[] {
  const builtIn: ServiceAddress[] = [
    { id: 'lmstudio', kind: 'lmstudio', name: 'LM Studio', baseUrl: LM_STUDIO_URL, saved: false },
    { id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: `${ollamaRoot(env['OLLAMA_HOST'])}/v1`, saved: false },
  ]
  const own = new Map(saved.map((provider) => [provider.id, addressOf(provider)]))
  return [
    ...builtIn.map((service) => own.get(service.id) ?? service),
    ...[...own.values()].filter(({ id }) => builtIn.every((service) => service.id !== id)),
  ]
}

function addressOf({ id, kind, name, baseUrl, apiKey, headers }: Provider): ServiceAddress {
  return {
    id,
    kind: id === 'ollama' || id === 'lmstudio' ? id : kind,
    name,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
    saved: true,
  }
}
