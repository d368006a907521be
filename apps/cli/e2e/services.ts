/** Scripted services of models for the command line: an Ollama where `OLLAMA_HOST` says, a saved LM Studio and a saved API. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  autoAnswer,
  type ModelAnswer,
  type ScriptedLmStudio,
  scriptedLmStudio,
  type ScriptedModelServer,
  scriptedModelServer,
  type ScriptedOllama,
  scriptedOllama,
} from '@leuria/testing'
import { type RunOptions, temporaryHome } from './cli-process.js'

/** Uses the tool it is offered, then says what came back. */
export const sensible: ModelAnswer = (exchange) => exchange.play(autoAnswer(exchange.body))

export interface Services extends AsyncDisposable {
  readonly ollama: ScriptedOllama
  readonly lmStudio: ScriptedLmStudio
  /** Saved as `mine`, with the key `sk-secret` and a header `x-team`. */
  readonly mine: ScriptedModelServer
  /** For commands: the home they are saved in. */
  readonly options: RunOptions
}

export const KEY = 'sk-secret'
export const TEAM = 'team-secret'

export async function openServices(): Promise<Services> {
  const home = await temporaryHome()
  const ollama = await scriptedOllama({
    otherwise: sensible,
    models: [
      { name: 'llama3.2:latest', capabilities: ['completion', 'tools', 'vision'] },
      { name: 'tiny:1b', capabilities: ['completion'] },
      { name: 'nomic-embed-text:latest', capabilities: ['embedding'] },
      { name: 'huge:cloud', remoteHost: 'https://ollama.com:443' },
    ],
  })
  const lmStudio = await scriptedLmStudio({ otherwise: sensible })
  const mine = await scriptedModelServer({ otherwise: sensible, models: ['qwen3'], key: KEY })
  const providers = [
    { id: 'lmstudio', kind: 'lmstudio', name: 'LM Studio', baseUrl: lmStudio.url },
    { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: mine.url, apiKey: KEY, headers: { 'x-team': TEAM } },
  ]
  await mkdir(home.path, { recursive: true })
  await writeFile(join(home.path, 'providers.json'), JSON.stringify({ version: 1, providers }), { mode: 0o600 })
  return {
    ollama,
    lmStudio,
    mine,
    options: { home: home.path, env: { OLLAMA_HOST: `127.0.0.1:${ollama.port}` } },
    async [Symbol.asyncDispose]() {
      await Promise.all([ollama.close(), lmStudio.close(), mine.close()])
      await home[Symbol.asyncDispose]()
    },
  }
}
