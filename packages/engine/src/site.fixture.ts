/** A connected site in tests: prepares sessions, reads their streams, offers tools through a real channel. */
import { prepareReply } from '@leuria/protocol'
import { fakePage, type FakePage, type FakePageOptions, readEvents, type SseEvent } from '@leuria/testing'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { SHOP, type TestEngine } from './engine.fixture.js'

export interface TestSession {
  readonly id: string
  readonly registrationToken: string
  /** Everything its stream has said so far. */
  readonly events: readonly SseEvent[]
  act(action: string, body?: unknown): Promise<{ status: number; json: unknown }>
  info(): Promise<unknown>
  /** Resolves with the first event of this name; waits for it. */
  until(event: string): Promise<SseEvent>
  page(options: Pick<FakePageOptions, 'tools' | 'resources' | 'prompts'>): Promise<FakePage>
}

export interface TestSite {
  readonly token: string
  prepare(body?: unknown): Promise<TestSession>
}

/** Opens a stream, so that nothing that happens afterwards is missed, and reads it into `events` until it ends. */
async function follow(
  test: TestEngine,
  path: string,
  to: { token: string; origin: string; events: SseEvent[] },
): Promise<void> {
  const { body } = await fetch(test.engine.url + path, {
    headers: { origin: to.origin, authorization: `Bearer ${to.token}` },
  })
  const read = async (): Promise<void> => {
    if (body !== null) for await (const event of readEvents(body)) to.events.push(event)
  }
  read().catch(() => undefined)
}

/** Connects the site and keeps its token. */
export async function connectSite(test: TestEngine, origin: string = SHOP): Promise<TestSite> {
  const token = await test.connect(origin)
  return {
    token,
    async prepare(body = {}) {
      const prepared = await test.call('/session/prepare', { origin, token, body })
      const { sessionId: id, registrationToken } = z.parse(prepareReply, prepared.json)
      const events: SseEvent[] = []
      await follow(test, `/session/${id}/stream`, { token, origin, events })
      return {
        id,
        registrationToken,
        events,
        act: (action, sent = {}) => test.call(`/session/${id}/${action}`, { origin, token, body: sent }),
        info: async () => (await test.call(`/session/${id}`, { origin, token })).json,
        async until(name) {
          await expect.poll(() => events.map(({ event }) => event), { timeout: 20_000, interval: 5 }).toContain(name)
          return events.find(({ event }) => event === name) ?? expect.fail('unreachable: it was just seen')
        },
        page: (options) =>
          fakePage({ registrationToken, server: test.engine.url.replace('http', 'ws'), origin, ...options }),
      }
    },
  }
}
