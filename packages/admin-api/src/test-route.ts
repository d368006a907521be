/** `/admin/test`: tries an AI as a page would. The test itself stands above this package and is passed in. */
import { adminTestBody, EngineError } from '@leuria/protocol'
import { readAgentId } from './add-ai.js'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'

/** One test at a time: a second one would only make both slow. */
export function testRoutes(parts: AdminParts): AdminRoute[] {
  let running = false
  const { test } = parts
  if (test === undefined) return []
  const tell = (id: string, told: { message: string; step?: string; ok?: boolean }): void => {
    parts.feed.publish({ event: 'progress', stage: 'check', id, ...told })
  }
  return [
    adminRoute({
      method: 'POST',
      path: '/admin/test',
      body: adminTestBody,
      async handle({ body, signal }) {
        const id = body.agent ?? parts.agents.default().id
        readAgentId(id)
        if (parts.agents.find(id) === null) throw new EngineError('not_found', `There is no AI "${id}".`)
        if (running) throw new EngineError('conflict', 'A test is going on already.')
        running = true
        try {
          const reply = await test({
            agent: body.agent ?? null,
            signal,
            onStep: ({ name, ok, detail }) => {
              tell(id, { step: name, ok, message: detail })
            },
            onStatus: (message) => {
              tell(id, { message })
            },
          })
          return { status: 200, body: reply }
        } finally {
          running = false
        }
      },
    }),
  ]
}
