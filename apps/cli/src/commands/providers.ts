/** `leuria providers`: saved AI services. The file is private; keys are never printed. */
import { text as readAll } from 'node:stream/consumers'
import { normalizeBaseUrl } from '@leuria/agent-openai'
import { formatModelId, type Provider, type ProvidersFile, slugOf } from '@leuria/protocol'
import { type JsonFile, openProviders } from '@leuria/state'
import { UserError } from '../fail.js'
import { homeOptions, using } from '../home.js'

function withProviders<Result>(work: (file: JsonFile<ProvidersFile>) => Promise<Result> | Result): Promise<Result> {
  return using(openProviders(homeOptions()), work)
}

export interface NewProvider {
  name: string
  url: string
  key?: string
  keyStdin?: boolean
}

async function readKey(input: NewProvider): Promise<string | undefined> {
  if (input.key !== undefined && input.keyStdin === true)
    throw new UserError('Give the key once: --key or --key-stdin.')
  const key = (input.keyStdin === true ? await readAll(process.stdin) : input.key)?.trim()
  if (key === '') throw new UserError('The key is empty.')
  if (key !== undefined && /[^\x21-\x7e]/.test(key))
    throw new UserError('The key has characters that no key has (spaces, line ends).')
  return key
}

/** Saves a service under its name's slug; one with the same id is replaced. @throws UserError for a bad name or address */
export async function addProvider(input: NewProvider): Promise<void> {
  const id = slugOf(input.name)
  if (id === null)
    throw new UserError(`"${input.name}" can't be made into an id. Use some letters or digits from a to z.`)
  const baseUrl = normalizeBaseUrl(input.url)
  if (baseUrl === null)
    throw new UserError(`"${input.url}" is not an address like http://127.0.0.1:8080 or https://api.example.com/v1.`)
  const apiKey = await readKey(input)
  const provider: Provider = {
    id,
    kind: 'openai',
    name: input.name.trim(),
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  }
  await withProviders((file) =>
    file.update((saved) => ({ ...saved, providers: [...saved.providers.filter((one) => one.id !== id), provider] })),
  )
  console.log(`Saved ${provider.name} (${id}) at ${baseUrl}.`)
  console.log(`Use one of its models: leuria start --agent ${formatModelId(id, '<model>')}`)
}

function line(provider: Provider): string {
  return `${provider.id}  ${provider.name}  ${provider.baseUrl}${provider.apiKey === undefined ? '' : '  (with a key)'}`
}

/** Lists what is saved, keys left out. */
export async function listProviders(flags: { json?: boolean }): Promise<void> {
  const providers = await withProviders((file) => file.value.providers)
  if (flags.json === true) {
    const shown = providers.map(({ id, kind, name, baseUrl, apiKey }) => ({
      id,
      kind,
      name,
      baseUrl,
      hasApiKey: apiKey !== undefined,
    }))
    console.log(JSON.stringify({ providers: shown }, null, 2))
    return
  }
  if (providers.length === 0) console.log('No services are saved. Add one: leuria providers add <name> <url>')
  for (const provider of providers) console.log(line(provider))
}

/** @throws UserError when no such service is saved */
export async function removeProvider(id: string): Promise<void> {
  const removed = await withProviders(async (file) => {
    const known = file.value.providers.some((provider) => provider.id === id)
    if (known) await file.update((saved) => ({ ...saved, providers: saved.providers.filter((one) => one.id !== id) }))
    return known
  })
  if (!removed) throw new UserError(`There is no saved service "${id}". leuria providers list shows them.`)
  console.log(`Removed ${id}.`)
}
