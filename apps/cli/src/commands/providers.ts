/** `leuria providers`: saved AI services. The file is private; keys and headers are never printed. */
import { text as readAll } from 'node:stream/consumers'
import { normalizeBaseUrl } from '@leuria/agent-openai'
import { formatModelId, type Provider, type ProvidersFile, slugOf } from '@leuria/protocol'
import { type JsonFile, openProviders } from '@leuria/state'
import { UserError } from '../fail.js'
import { homeOptions, using } from '../home.js'
import { printAnswer, printJson } from '../print-json.js'
import { readHeaders } from './provider-headers.js'

function withProviders<Result>(work: (file: JsonFile<ProvidersFile>) => Promise<Result> | Result): Promise<Result> {
  return using(openProviders(homeOptions()), work)
}

export interface NewProvider {
  name: string
  url: string
  key?: string
  keyStdin?: boolean
  /** Each as `Name: value`. */
  header?: readonly string[]
  json?: boolean
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
  const headers = readHeaders(input.header ?? [])
  const apiKey = await readKey(input)
  const provider: Provider = {
    id,
    // These two ids take the place of the built-in services, which have interfaces of their own.
    kind: id === 'ollama' || id === 'lmstudio' ? id : 'openai',
    name: input.name.trim(),
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  }
  await withProviders((file) =>
    file.update((saved) => ({ ...saved, providers: [...saved.providers.filter((one) => one.id !== id), provider] })),
  )
  printAnswer(input.json, {
    value: shown(provider),
    words: `Saved ${provider.name} (${id}) at ${baseUrl}.\nTry it: leuria providers test ${id}. Use it: leuria ai use ${formatModelId(id, '<model>')}`,
  })
}

/** For programs: without what is secret. */
function shown({ id, kind, name, baseUrl, apiKey, headers }: Provider): object {
  return { id, kind, name, baseUrl, hasApiKey: apiKey !== undefined, hasHeaders: headers !== undefined }
}

function line(provider: Provider): string {
  const { id, name, baseUrl, apiKey, headers } = provider
  const secret = [apiKey !== undefined && 'a key', headers !== undefined && 'headers of its own'].filter(Boolean)
  return `${id}  ${name}  ${baseUrl}${secret.length === 0 ? '' : `  (with ${secret.join(' and ')})`}`
}

/** Lists what is saved, keys and headers left out. */
export async function listProviders(flags: { json?: boolean }): Promise<void> {
  const providers = await withProviders((file) => file.value.providers)
  if (flags.json === true) {
    printJson({ providers: providers.map(shown) })
    return
  }
  if (providers.length === 0) console.log('No services are saved. Add one: leuria providers add <name> <url>')
  for (const provider of providers) console.log(line(provider))
}

/** @throws UserError when no such service is saved */
export async function removeProvider(id: string, { json }: { json?: boolean } = {}): Promise<void> {
  const removed = await withProviders(async (file) => {
    const known = file.value.providers.some((provider) => provider.id === id)
    if (known) await file.update((saved) => ({ ...saved, providers: saved.providers.filter((one) => one.id !== id) }))
    return known
  })
  if (!removed) throw new UserError(`There is no saved service "${id}". leuria providers list shows them.`)
  printAnswer(json, { value: { removed: id }, words: `Removed ${id}.` })
}
