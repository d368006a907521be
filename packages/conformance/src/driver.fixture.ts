/** For this package's tests: a program that has the small client, as `leuria-conformance client` runs one. */
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { PageNetwork } from './client-check/page-network.js'
import type { ClientSession } from './client-check/client-page.js'
import { SmallClient } from './small-client.fixture.js'

const tool = z.object({
  name: z.string(),
  description: z.string(),
  says: z.optional(z.string()),
  fails: z.optional(z.string()),
})
const step = z.object({
  id: z.number(),
  page: z.number(),
  do: z.string(),
  url: z.optional(z.string()),
  origin: z.optional(z.string()),
  storage: z.optional(z.number()),
  session: z.optional(z.string()),
  text: z.optional(z.string()),
  prompt: z.optional(z.string()),
  tools: z.optional(z.array(tool)),
})
type Step = z.infer<typeof step>

const pages = new Map<number, { client: SmallClient; sessions: ClientSession[]; links: string[] }>()
const storages = new Map<number, Map<string, string>>()

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

function open({ page, url = '', origin = '', storage = 0 }: Step): void {
  const kept = storages.get(storage) ?? new Map<string, string>()
  storages.set(storage, kept)
  const network = new PageNetwork(origin)
  const links: string[] = []
  const client = new SmallClient({
    url,
    origin,
    fetch: network.fetch,
    WebSocket: network.WebSocket,
    openLink: (link) => links.push(link),
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
  pages.set(page, { client, sessions: [], links })
}

function mustHave<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('There is no such thing.')
  return value
}

async function perform(told: Step): Promise<object> {
  if (told.do === 'open') {
    open(told)
    return {}
  }
  const { client, sessions, links } = mustHave(pages.get(told.page))
  const session = sessions[Number(told.session)]
  switch (told.do) {
    case 'connect': {
      const connecting = client.connect()
      write({ clicked: told.id, links: links.splice(0) })
      await connecting
      return {}
    }
    case 'start': {
      const tools = (told.tools ?? []).map(({ says = '', fails, ...rest }) => ({
        ...rest,
        run: () => {
          if (fails !== undefined) throw new Error(fails)
          return says
        },
      }))
      sessions.push(await client.startSession({ prompt: told.prompt, tools }))
      return { session: String(sessions.length - 1) }
    }
    case 'detect':
      await client.detect()
      return {}
    case 'prompt':
      await mustHave(session).prompt(told.text ?? '')
      return {}
    case 'close':
      await mustHave(session).close()
      return {}
    case 'leave':
      client.leave()
      return {}
    default:
      client.close()
      return {}
  }
}

/** How often the pages' states are told. */
const STATE_MS = 50

setInterval(() => {
  for (const [page, { client, sessions }] of pages) {
    const told = sessions.map(
      (session, at) => [String(at), { text: session.text(), outcome: session.outcome() }] as const,
    )
    write({ page, state: { status: client.status(), shown: client.shown(), sessions: Object.fromEntries(told) } })
  }
}, STATE_MS).unref()

createInterface({ input: process.stdin })
  .on('line', (text) => {
    const told = step.parse(JSON.parse(text))
    perform(told).then(
      (result) => {
        write({ id: told.id, ok: true, ...result })
      },
      (error: unknown) => {
        write({ id: told.id, ok: false, error: String(error) })
      },
    )
  })
  .on('close', () => process.exit())
