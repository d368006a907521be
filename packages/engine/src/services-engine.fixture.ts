/** A whole engine whose visitor has an Ollama, an LM Studio and an API of their own, all scripted, and a connected site. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigFile, Provider } from '@leuria/protocol'
import { openConfig, openProviders } from '@leuria/state'
import {
  type ScriptedLmStudio,
  scriptedLmStudio,
  type ScriptedLmStudioOptions,
  type ScriptedModelServer,
  scriptedModelServer,
  type ScriptedModelServerOptions,
  type ScriptedOllama,
  scriptedOllama,
  type ScriptedOllamaOptions,
} from '@leuria/testing'
import { openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import type { EngineOptions } from './engine-options.js'
import { connectSite, type TestSite } from './site.fixture.js'

export interface ServicesOptions {
  ollama?: ScriptedOllamaOptions
  lmStudio?: ScriptedLmStudioOptions
  /** Saved as `mine`. */
  mine?: ScriptedModelServerOptions
  config?: Partial<ConfigFile>
  /** The engine's own. */
  engine?: Partial<EngineOptions>
  /** Saved after the three, or in place of one with the same id. */
  providers?: readonly Provider[]
}

export interface ServicesEngine extends AsyncDisposable {
  readonly test: TestEngine
  readonly site: TestSite
  readonly ollama: ScriptedOllama
  readonly lmStudio: ScriptedLmStudio
  readonly mine: ScriptedModelServer
  /** `POST /embed` as the connected page. */
  embed(body: unknown, signal?: AbortSignal): ReturnType<TestEngine['call']>
  /** `GET /health` as the connected page. */
  health(): Promise<unknown>
  /** Changes `config.json` as another process does. */
  change(config: Partial<ConfigFile>): Promise<void>
  /** Changes the saved services as another process does. */
  changeProviders(change: (saved: readonly Provider[]) => Provider[]): Promise<void>
}

/** Each in place of another with the same id. */
function saved(providers: readonly Provider[]): Provider[] {
  return [...new Map(providers.map((provider) => [provider.id, provider])).values()]
}

export async function openServicesEngine(options: ServicesOptions = {}): Promise<ServicesEngine> {
  const ollama = await scriptedOllama(options.ollama ?? { models: [] })
  const lmStudio = await scriptedLmStudio(options.lmStudio ?? { models: [] })
  const mine = await scriptedModelServer(options.mine)
  const home = await mkdtemp(join(tmpdir(), 'leuria-services-'))
  const providers = saved([
    { id: 'lmstudio', kind: 'lmstudio', name: 'LM Studio', baseUrl: lmStudio.url },
    { id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: ollama.url },
    { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: mine.url },
    ...(options.providers ?? []),
  ])
  await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers }), { mode: 0o600 })
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, ...options.config }), { mode: 0o600 })
  const test = await openTestEngine({ ...options.engine, home })
  const site = await connectSite(test)
  const { token } = site
  return {
    test,
    site,
    ollama,
    lmStudio,
    mine,
    embed: (body, signal) => test.call('/embed', { origin: SHOP, token, body, ...(signal && { signal }) }),
    health: async () => (await test.call('/health', { origin: SHOP, token })).json,
    async change(config) {
      const file = await openConfig({ home })
      await file.update((before) => ({ ...before, ...config }))
      await file.close()
    },
    async changeProviders(apply) {
      const file = await openProviders({ home })
      await file.update((before) => ({ ...before, providers: apply(before.providers) }))
      await file.close()
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]()
      await Promise.all([ollama.close(), lmStudio.close(), mine.close()])
      await rm(home, { recursive: true, force: true })
    },
  }
}
