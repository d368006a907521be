/** A whole engine whose default AI is a model of a scripted server, saved as the visitor's own service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ScriptedModelServer, scriptedModelServer, type ScriptedModelServerOptions } from '@leuria/testing'
import { openTestEngine, type TestEngine } from './engine.fixture.js'

export interface ModelEngine extends AsyncDisposable {
  readonly test: TestEngine
  readonly server: ScriptedModelServer
}

/** @param model the id of the model that answers */
export async function openModelEngine(model: string, options: ScriptedModelServerOptions = {}): Promise<ModelEngine> {
  const server = await scriptedModelServer({ models: [model], ...options })
  const home = await mkdtemp(join(tmpdir(), 'leuria-engine-'))
  const provider = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: server.url }
  await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers: [provider] }))
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, agent: `llm:mine/${model}` }))
  const test = await openTestEngine({ home })
  return {
    test,
    server,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]()
      await server.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
