/** A whole engine in this process with one AI, and a connected site that talks to it over HTTP, SSE and WebSocket. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentAdapter } from '@leuria/agent'
import { createEngine } from '@leuria/engine'
import { prepareReply } from '@leuria/protocol'
import { fakePage, type FakePage, type FakePageTool, readEvents, type SseEvent } from '@leuria/testing'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { callAs } from './connect-site.js'

export const SHOP = 'https://shop.example'
/** A cold start of an agent on a busy machine. */
const PATIENCE_MS = 40_000

export interface RealSession {
  readonly events: readonly SseEvent[]
  readonly page: FakePage
  act(action: string, body?: unknown): Promise<number>
  /** Data of the `count`th event of this name; waits for it. Fails at once when the session has failed meanwhile. */
  next(event: string, count?: number): Promise<unknown>
  /** All text of the answers, as it was streamed. */
  readonly text: string
}

export interface RealSite {
  open(tools: Readonly<Record<string, FakePageTool>>): Promise<RealSession>
  close(): Promise<void>
}

export async function realSite(adapter: AgentAdapter): Promise<RealSite> {
  const home = await mkdtemp(join(tmpdir(), 'leuria-e2e-'))
  const agents = {
    nameFor: () => adapter.name,
    idFor: () => adapter.id,
    find: (id: string) => ({ id, name: adapter.name, kind: 'agent' as const }),
    resolve: () => Promise.resolve(adapter),
  }
  const engine = await createEngine({ home, port: 0, agents })
  const token = await connect(engine)
  const call = (path: string, body?: unknown) =>
    callAs({ engine: { ready: readyOf(engine) }, path, origin: SHOP, token, body })
  return {
    open: async (tools) => {
      const prepared = prepareReply.parse((await call('/session/prepare', {})).json)
      const { sessionId, registrationToken } = prepared
      const events: SseEvent[] = []
      void follow(`${engine.url}/session/${sessionId}/stream`, token, events)
      const server = engine.url.replace('http', 'ws')
      const page = await fakePage({ registrationToken, server, origin: SHOP, tools })
      return {
        events,
        page,
        act: async (action, body = {}) => (await call(`/session/${sessionId}/${action}`, body)).status,
        next: (event, count = 1) => next(events, event, count),
        get text() {
          return events.flatMap(({ event, data }) => (event === 'chunk' ? [String(data)] : [])).join('')
        },
      }
    },
    close: async () => {
      await engine.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

type TestedEngine = Awaited<ReturnType<typeof createEngine>>

function readyOf(engine: TestedEngine) {
  return { event: 'ready' as const, port: engine.port, url: engine.url, version: '0', agent: '' }
}

/** Asks as the page does, and answers as the visitor does. */
async function connect(engine: TestedEngine): Promise<string> {
  const ready = { ready: readyOf(engine) }
  const asked = new Promise<string>((resolve) => {
    engine.subscribe((event) => {
      if (event.event === 'pairing') resolve(event.approveUrl)
    })
  })
  const body = { nonce: crypto.randomUUID(), app: 'Shop' }
  const claim = callAs({ engine: ready, path: '/connect/claim', origin: SHOP, body })
  const url = new URL(await asked)
  const answer = { allow: true, key: url.searchParams.get('key') }
  await callAs({ engine: ready, path: `${url.pathname}/decide`, origin: engine.url, body: answer })
  return z.looseObject({ token: z.string() }).parse((await claim).json).token
}

async function follow(url: string, token: string, events: SseEvent[]): Promise<void> {
  try {
    const answer = await fetch(url, { headers: { origin: SHOP, authorization: `Bearer ${token}` } })
    if (answer.body === null) return
    for await (const event of readEvents(answer.body)) events.push(event)
  } catch {
    // The engine was closed.
  }
}

async function next(events: readonly SseEvent[], name: string, count: number): Promise<unknown> {
  const all = (wanted: string): SseEvent[] => events.filter(({ event }) => event === wanted)
  await expect
    .poll(() => all(name).length >= count || all('failed').length > 0, { timeout: PATIENCE_MS, interval: 10 })
    .toBe(true)
  const found = all(name)[count - 1]
  if (found === undefined) throw new Error(`The session failed: ${JSON.stringify(events.slice(-30))}`)
  return found.data
}
