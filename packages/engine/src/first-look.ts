/**
 * What an engine may say before its files are open, which takes schemas, and those take longer to load than everything else
 * of a start: its port and its AI's name. Gives up wherever the files leave a doubt.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { resolveAi, serviceAddresses } from '@leuria/ai-choice'
import { type ConfigFile, DEFAULT_PORT, parseAgentId, type ProvidersFile } from '@leuria/protocol/browser'
import { openFolder } from '@leuria/state/home'
import { aiName } from './agents/ai-name.js'
import type { Settings } from './engine-options.js'
import { isPlainConfig, isPlainFile, isPlainProviders } from './plain-files.js'

export interface FirstLook {
  /** The one in `config.json`, else the usual one. */
  port: number
  /** The default AI's plain name. */
  agentName: string
}

/** For what isn't there. Every other trouble is thrown on. */
function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value
    throw error
  }
}

/** As strictly as whoever opens it: not a byte that isn't UTF-8. */
function parseFile(bytes: Buffer): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

function readJson(home: string, name: string, missing: unknown): Promise<unknown> {
  return readFile(join(home, name)).then(parseFile, ifMissing(missing))
}

function nameFrom({ agent, models }: ConfigFile, { providers }: ProvidersFile): string {
  const addresses = serviceAddresses(providers, process.env)
  return aiName(resolveAi(null, { agent, models }), {
    service(id) {
      const address = addresses.find((each) => each.id === id)
      return address && { name: address.name, models: () => ({ models: [] }) }
    },
    agentName: () => undefined,
  })
}

async function look(home: string): Promise<FirstLook | null> {
  const empty = { version: 1 }
  const [folder, config, providers, ...others] = await Promise.all([
    stat(home).catch(ifMissing(null)),
    readJson(home, 'config.json', empty),
    readJson(home, 'providers.json', { ...empty, providers: [] }),
    // Whatever they say changes nothing here, but one from a newer version ends the start.
    ...['grants.json', 'limits.json', 'usage.json'].map((name) => readJson(home, name, empty)),
  ])
  if (folder?.isDirectory() === false || !isPlainConfig(config) || !isPlainProviders(providers)) return null
  if (!others.every(isPlainFile)) return null
  // An agent's name, and whether it is there at all, is known only once it is looked for.
  if (config.agent !== undefined && parseAgentId(config.agent)?.kind === 'agent') return null
  if (folder === null) await openFolder(home)
  return { port: config.port ?? DEFAULT_PORT, agentName: nameFrom(config, providers) }
}

/**
 * `null`: nobody may be told of the engine before its files are open and its AIs are looked for. So it is with an AI that
 * may not be there, a home that can't be used, and a file that isn't plainly whole. Makes the home. Never rejects.
 */
export async function firstLook({ agents, defaultAgent, mode, fs, home }: Settings): Promise<FirstLook | null> {
  if (agents !== undefined || defaultAgent !== undefined || mode === 'app' || fs !== undefined) return null
  try {
    return await look(home)
  } catch {
    // Whoever opens the files says what is wrong with them.
    return null
  }
}
