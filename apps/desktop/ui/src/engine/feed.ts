/**
 * The engine's feed of events (`GET /admin/events`): opened anew when it drops or falls silent, resumed where it was.
 * What an event means is the store's.
 */
import { adminEvent, type AdminEvent } from '@leuria/protocol'
import { createParser } from 'eventsource-parser'
import type { AdminClient } from './admin-client.js'

/** The engine gives a sign of life every 15 s. */
const SILENCE_LIMIT_MS = 40_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000

export interface FeedOptions {
  client: AdminClient
  onEvent: (event: AdminEvent) => void
  /** `false`: the engine can't be heard right now. */
  onConnected: (isConnected: boolean) => void
  signal: AbortSignal
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Follows until `signal` aborts. Never rejects. */
export async function followFeed(options: FeedOptions): Promise<void> {
  const { onConnected, signal } = options
  let lastId = ''
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      await readOnce(options, lastId, (id) => {
        lastId = id
        waitMs = FIRST_WAIT_MS
      })
    } catch {
      // Whatever ended it, it is opened anew.
    }
    onConnected(false)
    await wait(waitMs, signal)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

async function readOnce(
  { client, onEvent, onConnected, signal }: FeedOptions,
  lastId: string,
  heard: (id: string) => void,
): Promise<void> {
  const stop = new AbortController()
  const query = lastId === '' ? '' : `?lastEventId=${encodeURIComponent(lastId)}`
  const body = await client.open(`events${query}`, AbortSignal.any([signal, stop.signal]))
  onConnected(true)
  let silence = setTimeout(() => undefined, 0)
  const alive = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      stop.abort()
    }, SILENCE_LIMIT_MS)
  }
  alive()
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (id !== undefined) heard(id)
      const event = parseEvent(data)
      if (event !== null) onEvent(event)
    },
  })
  const decoder = new TextDecoder()
  try {
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) return
      // Signs of life are comments, which the parser drops.
      alive()
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(silence)
    stop.abort()
  }
}

/** `null`: an event of a later version. */
function parseEvent(data: string): AdminEvent | null {
  try {
    const parsed = adminEvent.safeParse(JSON.parse(data))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
