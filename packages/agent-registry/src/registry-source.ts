/**
 * The registry's list: fetched when it is old, kept on disk, and used from there when there is no network.
 * What is in the document is `registry-document.ts`.
 */
import { join } from 'node:path'
import { type Clock, withDeadline } from '@leuria/clock'
import { type JsonFile, openJsonFile } from '@leuria/state'
import * as z from 'zod/mini'
import { readDocument, type RegistryAgent } from './registry-document.js'

/** Where the public list is. */
export const REGISTRY_URL = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json'
/** A list is small and near; longer means no network. */
const FETCH_LIMIT_MS = 5_000
const FRESH_MS = 10 * 60_000
/** After a failure, how long nobody asks again. */
const RETRY_MS = 60_000
/** The public list is a hundredth of this. */
const MAX_DOCUMENT_BYTES = 8 * 1_048_576

const cacheFile = z.looseObject({
  version: z._default(z.number(), 1),
  url: z.optional(z.string()),
  /** ISO 8601. */
  fetchedAt: z.optional(z.string()),
  document: z.optional(z.unknown()),
})

export type Fetch = typeof globalThis.fetch

/** The list and where it is from. */
export interface RegistryList {
  readonly agents: readonly RegistryAgent[]
  /** `none`: never fetched, and it can't be now. */
  readonly from: 'network' | 'cache' | 'none'
  /** ISO 8601, of the list shown. */
  readonly fetchedAt: string | null
  /** For people, when the list could not be fetched. */
  readonly message: string | null
}

export interface SourceOptions {
  readonly home: string
  readonly url: string
  readonly fetch: Fetch
  readonly clock: Clock
  readonly log: (line: string) => void
}

export interface RegistrySource {
  /** Never rejects. `again`: also when the list isn't old. */
  list(again?: boolean): Promise<RegistryList>
  close(): Promise<void>
}

export async function openSource(options: SourceOptions): Promise<RegistrySource> {
  const { home, log, clock } = options
  const file = await openJsonFile({
    path: join(home, 'registry.json'),
    schema: cacheFile,
    empty: () => ({ version: 1 }),
    log,
    clock,
  })
  let known = fromCache(file, options.url)
  let askAgainAt = -Infinity
  let asking: Promise<RegistryList> | undefined
  const ask = async (): Promise<RegistryList> => {
    const fetched = await fetchList(options)
    askAgainAt = clock.now() + (fetched.ok ? FRESH_MS : RETRY_MS)
    known = fetched.ok ? fetched.list : offline(known, fetched.reason)
    if (fetched.ok) await save(file, options, fetched).catch(() => undefined)
    return known
  }
  return {
    list: (again = false) => {
      if (!again && clock.now() < askAgainAt) return Promise.resolve(known)
      return (asking ??= ask().finally(() => (asking = undefined)))
    },
    close: () => file.close(),
  }
}

function fromCache(file: JsonFile<z.infer<typeof cacheFile>>, url: string): RegistryList {
  const { document, fetchedAt = null, url: from } = file.value
  const agents = from === url ? readDocument(document) : null
  if (agents === null) return { agents: [], from: 'none', fetchedAt: null, message: null }
  return { agents, from: 'cache', fetchedAt, message: null }
}

function offline(known: RegistryList, reason: string): RegistryList {
  const shown =
    known.from === 'none' ? 'There is none from before.' : `This is the one of ${known.fetchedAt ?? 'before'}.`
  const message = `The list of agents can't be fetched (${reason}). ${shown} Agents that are installed keep working.`
  return { ...known, from: known.from === 'none' ? 'none' : 'cache', message }
}

type Fetched =
  | { readonly ok: true; readonly list: RegistryList; readonly document: unknown }
  | { readonly ok: false; readonly reason: string }

async function fetchList({ url, fetch, clock }: SourceOptions): Promise<Fetched> {
  const abort = new AbortController()
  try {
    const document = await withDeadline(clock, FETCH_LIMIT_MS, fetchDocument(url, fetch, abort.signal))
    const agents = readDocument(document)
    if (agents === null) return { ok: false, reason: 'what came is no list of agents' }
    const list = { agents, from: 'network', fetchedAt: clock.date().toISOString(), message: null } as const
    return { ok: true, document, list }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? plain(error) : 'no network' }
  } finally {
    abort.abort()
  }
}

/** `fetch failed` says nothing; its cause does. */
function plain(error: Error): string {
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '' ? error.message.replace(/\.$/, '') : code
}

async function fetchDocument(url: string, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_DOCUMENT_BYTES) throw new Error('the list is too long')
    chunks.push(chunk)
  }
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return document
}

async function save(
  file: JsonFile<z.infer<typeof cacheFile>>,
  { url }: SourceOptions,
  fetched: Fetched & { ok: true },
): Promise<void> {
  const { document, list } = fetched
  await file.update((value) => ({ ...value, url, fetchedAt: list.fetchedAt ?? undefined, document }))
}
