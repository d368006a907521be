/** The files about agents: which there are, and who is signed in. Opened when first needed; the code for them is loaded then. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRegistry, SignIn, SignInStore } from '@leuria/agent-registry'
import type { Clock } from '@leuria/clock'

export interface AgentFilesOptions {
  home: string
  clock: Clock
  /** Of the list of agents; absent: the public one. */
  registryUrl?: string | undefined
  log: (line: string) => void
}

export interface SeenSignIn {
  ok: boolean
  version?: string | undefined
  /** The method that was used. */
  method?: string | undefined
}

interface Files {
  readonly registry: AgentRegistry
  readonly signIns: SignInStore
}

export class AgentFiles {
  #files: Promise<Files> | undefined

  constructor(private readonly options: AgentFilesOptions) {}

  /** @throws StateError when files can't be read; they may be mended, so the next one to ask tries again */
  open(): Promise<Files> {
    if (this.#files === undefined) {
      const opening = openFiles(this.options)
      opening.catch(() => (this.#files = undefined))
      this.#files = opening
    }
    return this.#files
  }

  async registry(): Promise<AgentRegistry> {
    return (await this.open()).registry
  }

  async noted(id: string): Promise<SignIn | null> {
    return (await this.open()).signIns.get(id)
  }

  /** Never rejects: it is a memory aid. */
  async note(id: string, { ok, ...seen }: SeenSignIn): Promise<void> {
    try {
      const { signIns } = await this.open()
      await signIns.note(id, { state: ok ? 'signed_in' : 'signed_out', ...seen })
    } catch (error) {
      this.options.log(`What is known of the sign-in to ${id} could not be written: ${words(error)}`)
    }
  }

  async forget(id: string): Promise<void> {
    await (await this.open()).signIns.forget(id)
  }

  /** Never rejects. */
  async prune(): Promise<void> {
    try {
      // Who has no agents needs none of their code.
      const there = await stat(join(this.options.home, 'agents')).catch(() => null)
      if (there !== null) await (await this.registry()).prune()
    } catch (error) {
      this.options.log(`Old versions of agents could not be removed: ${words(error)}`)
    }
  }

  async close(): Promise<void> {
    const files = await this.#files?.catch(() => undefined)
    await files?.registry.close()
    await files?.signIns.close()
  }
}

async function openFiles({ home, clock, log, registryUrl: url }: AgentFilesOptions): Promise<Files> {
  const { openAgentRegistry, openSignIns } = await import('@leuria/agent-registry')
  const registry = await openAgentRegistry({ home, clock, log, ...(url === undefined ? {} : { url }) })
  try {
    return { registry, signIns: await openSignIns({ home, clock, log }) }
  } catch (error) {
    await registry.close()
    throw error
  }
}

/** What went wrong, for the log. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
