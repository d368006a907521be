import { systemClock } from '@leuria/clock'
import {
  agentAdapterContract,
  fakeClock,
  MODEL_SCENES,
  modelServiceContract,
  type ModelStep,
  scriptedLmStudio,
} from '@leuria/testing'
import { expect } from 'vitest'
import { createLmStudioService } from './index.js'

const provider = (baseUrl: string) => ({ id: 'lmstudio', name: 'LM Studio', baseUrl })

agentAdapterContract(
  'agent-lmstudio',
  async () => {
    // A turn that is cancelled while the model loads never asks for its answer: each scene begins anew.
    let scene: (readonly ModelStep[])[] = []
    const server = await scriptedLmStudio({ otherwise: (exchange) => exchange.play(scene.shift() ?? []) })
    const service = createLmStudioService({ provider: provider(server.url), clock: systemClock })
    return {
      adapter: service.openAgent('qwen/qwen3-4b'),
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
      const server = await scriptedLmStudio({ lmStudio: { list_stalls: true } })
      const service = createLmStudioService({ provider: provider(server.url), clock: systemClock })
      const close = async (): Promise<void> => {
        service.close()
        await server.close()
      }
      return { adapter: service.openAgent(), play: () => ({ text: '' }), close }
    },
    unavailable: async () => {
      const server = await scriptedLmStudio()
      await server.close()
      return createLmStudioService({ provider: provider(server.url), clock: systemClock }).openAgent()
    },
  },
)

for (const lmStudio of [{}, { no_v1: true }, { no_v1: true, no_v0: true }]) {
  modelServiceContract(`agent-lmstudio ${JSON.stringify(lmStudio)}`, async () => {
    const models = [
      { key: 'qwen/qwen3-4b' },
      { key: 'text-embedding-nomic-embed-text-v1.5', type: 'embedding' as const },
    ]
    const server = await scriptedLmStudio({ models, lmStudio })
    const clock = fakeClock()
    return {
      service: createLmStudioService({ provider: provider(server.url), clock }),
      clock,
      ids: models.map(({ key }) => key),
      requests: () => server.requests.length,
      stop: () => server.close(),
      stall() {
        server.lmStudio = { list_stalls: true }
      },
    }
  })
}
