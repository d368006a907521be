import { systemClock } from '@leuria/clock'
import {
  agentAdapterContract,
  fakeClock,
  MODEL_SCENES,
  modelServiceContract,
  type ModelStep,
  scriptedOllama,
} from '@leuria/testing'
import { expect } from 'vitest'
import { createOllamaService } from './index.js'

const provider = (baseUrl: string) => ({ id: 'ollama', name: 'Ollama', baseUrl })

agentAdapterContract(
  'agent-ollama',
  async () => {
    // A turn that is cancelled while the model loads never asks for its answer: each scene begins anew.
    let scene: (readonly ModelStep[])[] = []
    const server = await scriptedOllama({ otherwise: (exchange) => exchange.play(scene.shift() ?? []) })
    const service = createOllamaService({ provider: provider(server.url), clock: systemClock })
    return {
      adapter: service.openAgent('llama3.2'),
      play(name) {
        scene = name === 'leave' ? [] : [...MODEL_SCENES[name]]
        return { text: 'a blue mug, please' }
      },
      async close() {
        service.close()
        await server.close()
        expect(server.faults).toEqual([])
      },
    }
  },
  {
    // A model has no program that could leave.
    without: ['leave'],
    hanging: async () => {
      const server = await scriptedOllama({ ollama: { list_stalls: true } })
      const service = createOllamaService({ provider: provider(server.url), clock: systemClock })
      const close = async (): Promise<void> => {
        service.close()
        await server.close()
      }
      return { adapter: service.openAgent(), play: () => ({ text: '' }), close }
    },
    unavailable: async () => {
      const server = await scriptedOllama()
      await server.close()
      return createOllamaService({ provider: provider(server.url), clock: systemClock }).openAgent('llama3.2')
    },
  },
)

for (const ollama of [{}, { no_native: true }]) {
  modelServiceContract(`agent-ollama ${JSON.stringify(ollama)}`, async () => {
    const names = ['llama3.2:latest', 'nomic-embed-text:latest']
    const server = await scriptedOllama({ models: names.map((name) => ({ name })), ollama })
    const clock = fakeClock()
    return {
      service: createOllamaService({ provider: provider(server.url), clock }),
      clock,
      ids: names,
      requests: () => server.requests.length,
      stop: () => server.close(),
      stall() {
        server.ollama = { list_stalls: true }
      },
    }
  })
}
