/** What becomes of links: kept, done once, dropped; with an engine's admin API that answers as told. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatSiteLink } from '@leuria/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EngineAddress } from './admin-client.js'
import { LinkDesk } from './link-desk.js'

const nonce = (at: number): string => String(at).padStart(22, '0')
const link = (at: number, host = 'shop.example'): string =>
  `leuria://connect?origin=https%3A%2F%2F${host}&app=Shop&nonce=${nonce(at)}`

let server: Server
let engine: EngineAddress | null
let asked: { path: string; body: string; headers: Record<string, unknown> }[]
let status: number
let sites: string
let told: string[]
let now: number
let desk: LinkDesk
beforeEach(async () => {
  asked = []
  told = []
  status = 201
  sites = JSON.stringify({ sites: [{ origin: 'https://shop.example', createdAt: '' }] })
  now = 0
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      asked.push({ path: request.url ?? '', body, headers: request.headers })
      response.statusCode = request.method === 'POST' ? status : 200
      response.end(request.method === 'POST' ? '{"requestId":"r"}' : sites)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  engine = { port: (server.address() as AddressInfo).port, token: 'secret' }
  desk = new LinkDesk({
    engine: () => engine,
    onQuestion: () => told.push('question'),
    onSite: (origin) => told.push(origin),
    log: (line) => told.push(line),
    now: () => now,
  })
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

it('posts the link as the page has it, as a program and with the token', async () => {
  expect(desk.take(link(1))).toBe(true)
  await desk.work()
  expect(asked).toHaveLength(1)
  expect(asked[0]?.path).toBe('/admin/pairing/link')
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ origin: 'https://shop.example', app: 'Shop', nonce: nonce(1) })
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer secret' })
  expect(asked[0]?.headers).not.toHaveProperty('origin')
  expect(asked[0]?.headers).not.toHaveProperty('sec-fetch-mode')
  expect(told).toEqual(['question'])
})

it('keeps links while there is no engine, in order, and while one is going away', async () => {
  const there = engine
  engine = null
  desk.take(link(1))
  desk.take(link(2, 'blog.example'))
  await desk.work()
  engine = { port: 9, token: 'x' }
  await desk.work()
  expect(asked).toEqual([])
  engine = there
  await desk.work()
  expect(asked.map(({ body }) => body)).toEqual([
    expect.stringContaining('shop.example') as unknown,
    expect.stringContaining('blog.example') as unknown,
  ])
})

// FC-05 d.
it('takes the same link once in ten seconds, and again later', async () => {
  desk.take(link(1))
  now = 9_999
  desk.take(link(1).replace('connect?', 'connect/?'))
  await desk.work()
  expect(asked).toHaveLength(1)
  now = 20_000
  desk.take(link(1))
  desk.take(link(2))
  await desk.work()
  expect(asked).toHaveLength(3)
})

it('keeps the newest twenty of a flood', async () => {
  const there = engine
  engine = null
  for (let at = 0; at < 25; at += 1) desk.take(link(at))
  await desk.work()
  engine = there
  await desk.work()
  expect(asked.map(({ body }) => Number((JSON.parse(body) as { nonce: string }).nonce))).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 5),
  )
})

it('shows nothing for a link that is refused', async () => {
  status = 429
  desk.take(link(1))
  await desk.work()
  expect(told).toEqual([expect.stringContaining('(429)')])
})

it.each(['', '{}', '{"sites":[{}]}'])(
  'drops a link that the engine answers with %j, and does the next',
  async (text) => {
    sites = text
    desk.take(formatSiteLink('https://shop.example'))
    desk.take(link(1))
    await desk.work()
    expect(told).toEqual([expect.stringContaining('shop.example'), 'question'])
  },
)

it("shows a connected site's settings, and nothing for another site", async () => {
  desk.take(formatSiteLink('https://shop.example'))
  desk.take(formatSiteLink('https://evil.example'))
  await desk.work()
  expect(told).toEqual(['https://shop.example'])
  expect(desk.take('leuria://site?origin=')).toBe(false)
})
