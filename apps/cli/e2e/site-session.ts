/** A connected site's session with an engine in another process: its events as they come, and its open channel. */
import { prepareReply } from '@leuria/protocol'
import { fakePage, type FakePage, readEvents, type SseEvent } from '@leuria/testing'
import { expect } from 'vitest'
import type { RunningEngine } from './cli-process.js'
import { callAs } from './connect-site.js'

export interface SiteSession {
  readonly id: string
  readonly page: FakePage
  readonly events: readonly SseEvent[]
  act(action: string, body?: unknown): Promise<unknown>
  /** The first event of this name; waits for it. */
  until(event: string): Promise<SseEvent>
}

export interface SessionOf {
  engine: RunningEngine
  origin: string
  token: string
  tools?: Parameters<typeof fakePage>[0]['tools']
  /** What `POST /session/prepare` is given. */
  body?: object
}

async function follow(url: string, headers: Record<string, string>, events: SseEvent[]): Promise<void> {
  const answer = await fetch(url, { headers })
  if (answer.body === null) return
  for await (const event of readEvents(answer.body)) events.push(event)
}

export async function openSession({ engine, origin, token, tools = {}, body = {} }: SessionOf): Promise<SiteSession> {
  const { json } = await callAs({ engine, path: '/session/prepare', origin, token, body })
  const { sessionId: id, registrationToken } = prepareReply.parse(json)
  const events: SseEvent[] = []
  const stream = `${engine.ready.url}/session/${id}/stream`
  follow(stream, { origin, authorization: `Bearer ${token}` }, events).catch(() => undefined)
  const page = await fakePage({ registrationToken, server: engine.ready.url.replace('http', 'ws'), origin, tools })
  return {
    id,
    page,
    events,
    act: async (action, sent = {}) =>
      (await callAs({ engine, path: `/session/${id}/${action}`, origin, token, body: sent })).json,
    async until(name) {
      await expect.poll(() => events.map(({ event }) => event), { timeout: 20_000, interval: 10 }).toContain(name)
      return events.find(({ event }) => event === name) ?? expect.fail('unreachable: it was just seen')
    },
  }
}
