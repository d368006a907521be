/** `leuria providers test`: is the service there, does it take the key, does a model answer. */
import { testProvider } from '@leuria/agent-openai'
import { serviceAddresses } from '@leuria/ai-choice'
import { systemClock } from '@leuria/clock'
import { openProviders } from '@leuria/state'
import { UserError } from '../fail.js'
import { homeOptions, using } from '../home.js'
import { printJson } from '../print-json.js'

export interface ProviderTestFlags {
  model?: string
  json?: boolean
}

function countWords(models: number | null): string {
  if (models === null) return 'it keeps no list of models'
  return models === 1 ? 'it lists 1 model' : `it lists ${models} models`
}

/** Works for saved services, and for Ollama and LM Studio at their usual places. Exit code 1 when it fails. @throws UserError for an unknown id */
export async function testSavedProvider(id: string, { model, json }: ProviderTestFlags): Promise<void> {
  const saved = await using(openProviders(homeOptions()), (file) => file.value.providers)
  const provider = serviceAddresses(saved, process.env).find((address) => address.id === id)
  if (provider === undefined)
    throw new UserError(`There is no service "${id}". leuria providers list shows the saved ones.`)
  const result = await testProvider(provider, { clock: systemClock, ...(model === undefined ? {} : { model }) })
  if (!result.ok) process.exitCode = 1
  if (json === true) printJson({ id, ...result })
  else if (result.ok) console.log(`${provider.name} works: ${result.model} answers, and ${countWords(result.models)}.`)
  else console.log(`${provider.name} doesn't work: ${result.message}`)
}
