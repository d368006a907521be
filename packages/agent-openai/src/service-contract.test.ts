import { fakeClock, modelServiceContract, scriptedModelServer } from '@leuria/testing'
import { createOpenAiService } from './index.js'

modelServiceContract('agent-openai', async () => {
  const ids = ['first', 'text-embedding-3-small']
  let stalled = false
  const server = await scriptedModelServer({ models: ids, routes: () => (stalled ? 'stall' : null) })
  const clock = fakeClock()
  return {
    service: createOpenAiService({ provider: { id: 'box', name: 'Box', baseUrl: server.url }, clock }),
    clock,
    ids,
    requests: () => server.requests.length,
    stop: () => server.close(),
    stall() {
      stalled = true
    },
  }
})
