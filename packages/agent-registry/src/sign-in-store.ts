/**
 * Who is signed in, as last seen, in `sign-ins.json`: so that nobody has to start an agent to know. Only states and
 * times; what an agent signs in with stays in its own files.
 */
import { join } from 'node:path'
import { type Clock, systemClock } from '@leuria/clock'
import { openJsonFile } from '@leuria/state'
import * as z from 'zod/mini'

export const SIGN_IN_STATES = ['signed_in', 'signed_out'] as const

const signIn = z.looseObject({
  state: z.enum(SIGN_IN_STATES),
  /** ISO 8601: when this was last seen to be so. */
  at: z.string(),
  /** The id of the method used, where one was. */
  method: z.optional(z.string()),
  /** The agent's version then. */
  version: z.optional(z.string()),
})
/** Each entry is read by itself: one that can't be read costs nobody else theirs. */
const signInsFile = z.looseObject({
  version: z._default(z.number(), 1),
  agents: z._default(z.record(z.string(), z.unknown()), {}),
})

type SignInsFile = z.infer<typeof signInsFile>
export type SignIn = z.infer<typeof signIn>

export interface SignInStore {
  /** Null: never seen. From memory. */
  get(id: string): SignIn | null
  /** Notes what was seen. The same state again is written at most once a day. */
  note(id: string, seen: Pick<SignIn, 'state' | 'method' | 'version'>): Promise<void>
  /** For a removed agent. */
  forget(id: string): Promise<void>
  close(): Promise<void>
}

export interface SignInStoreOptions {
  readonly home: string
  readonly clock?: Clock
  readonly log?: (line: string) => void
}

const DAY_MS = 24 * 60 * 60_000

/** @throws StateError when the file can't be read */
export async function openSignIns({ home, clock = systemClock, log }: SignInStoreOptions): Promise<SignInStore> {
  const path = join(home, 'sign-ins.json')
  const empty = (): SignInsFile => ({ version: 1, agents: {} })
  const file = await openJsonFile({ path, schema: signInsFile, empty, clock, log })
  const get = (id: string): SignIn | null => {
    const read = signIn.safeParse(Object.hasOwn(file.value.agents, id) ? file.value.agents[id] : null)
    return read.success ? read.data : null
  }
  return {
    get,
    note: async (id, seen) => {
      const now = clock.date()
      const known = get(id)
      const isOld =
        known === null || now.getTime() - Date.parse(known.at) >= DAY_MS || Number.isNaN(Date.parse(known.at))
      const isSame = known?.state === seen.state && known.method === (seen.method ?? known.method)
      if (isSame && known.version === seen.version && !isOld) return
      const entry: SignIn = { ...(isSame ? known : {}), ...seen, at: now.toISOString() }
      await file.update((value) => ({ ...value, agents: { ...value.agents, [id]: entry } }))
    },
    forget: async (id) => {
      await file.update((value) => {
        if (!Object.hasOwn(value.agents, id)) return value
        const { [id]: _, ...agents } = value.agents
        return { ...value, agents }
      })
    },
    close: () => file.close(),
  }
}
