/** An Ollama with a page in front of it, for this package's tests. */
import { systemClock } from '@leuria/clock'
import { type ScriptedOllama, scriptedOllama, type ScriptedOllamaOptions, ServiceStage } from '@leuria/testing'
import { createOllamaService, type OllamaServiceOptions } from './index.js'

export const openStage = (): ServiceStage<ScriptedOllama, ScriptedOllamaOptions, OllamaServiceOptions> =>
  new ServiceStage({
    startServer: scriptedOllama,
    openService: (server, more) =>
      createOllamaService({
        provider: { id: 'ollama', name: 'Ollama', baseUrl: server.url },
        clock: systemClock,
        env: {},
        ...more,
      }),
  })
