/** The desktop app's window as far as its feed goes: reads it over a real socket and keeps what came. */
import { request } from 'node:http'
import { type AdminEvent, adminEvent } from '@leuria/protocol'
import { SseReader } from '@leuria/testing'
import { vi } from 'vitest'
import type { TestEngine } from './engine.fixture.js'

export interface TestWindow {
  readonly events: AdminEvent[]
  /** The newest event's. */
  readonly lastId: string | undefined
  /** Waits for an event that fits, past or to come. */
  until(fits: (event: AdminEvent) => boolean): Promise<AdminEvent>
  /** Resolves when the engine has ended the feed. */
  readonly ended: Promise<void>
  close(): void
}

export interface WindowOptions {
  lastEventId?: string
  /** As a header, as `EventSource` does, or in the query. @default 'header' */
  resume?: 'header' | 'query'
}

/** Resolves once the feed is open. */
export async function openWindow(test: TestEngine, token: string, options: WindowOptions = {}): Promise<TestWindow> {
  const { lastEventId, resume = 'header' } = options
  const reader = new SseReader()
  const events: AdminEvent[] = []
  const inQuery = lastEventId !== undefined && resume === 'query'
  const asked = request({
    port: test.engine.port,
    host: '127.0.0.1',
    path: `/admin/events${inQuery ? `?lastEventId=${encodeURIComponent(lastEventId)}` : ''}`,
    headers: {
      origin: 'http://tauri.localhost',
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && !inQuery ? { 'last-event-id': lastEventId } : {}),
    },
  })
  const ended = new Promise<void>((resolve) => {
    asked.once('close', resolve)
  })
  await new Promise<void>((resolve, reject) => {
    asked.once('error', reject).once('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        for (const { data } of reader.push(text)) events.push(adminEvent.parse(data))
      })
      response.on('error', () => undefined)
      resolve()
    })
    asked.end()
  })
  return {
    events,
    get lastId() {
      return reader.events.findLast(({ id }) => id !== undefined)?.id
    },
    until: (fits) => vi.waitUntil(() => events.find(fits), { timeout: 20_000, interval: 5 }),
    ended,
    close() {
      asked.on('error', () => undefined).destroy()
    },
  }
}
