/** A home, a list of agents and an npm that installs from it without a network: for commands about agents. */
import { delimiter, join } from 'node:path'
import { npmEntry, openAgentList, uncheckedEntry } from '@leuria/testing'
import { type RunOptions, temporaryHome } from './cli-process.js'

export { npmEntry, uncheckedEntry }

export interface AgentWorld extends AsyncDisposable {
  readonly options: RunOptions
  /** Holds the agent, `agent.js`. */
  readonly folder: string
  readonly home: string
  /** What the list has from now on. */
  serve(...agents: readonly object[]): void
  /** The list can't be reached any more. */
  goOffline(): Promise<void>
}

export async function openAgentWorld(): Promise<AgentWorld> {
  const home = await temporaryHome()
  const list = await openAgentList()
  const env = {
    ACP_REGISTRY_URL: list.url,
    PATH: [list.bin, process.env.PATH].join(delimiter),
    LEURIA_PORT: '0',
  }
  return {
    options: { home: home.path, env: { ...env, LEURIA_HOME: join(home.path, '.leuria') } },
    home: join(home.path, '.leuria'),
    folder: list.bin,
    serve: list.serve,
    goOffline: list.goOffline,
    async [Symbol.asyncDispose]() {
      await list[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
    },
  }
}
