/**
 * The relay behind a small real HTTP server on a free port, with the gate's part played by the `Origin` header:
 * what tests of this package talk to over real sockets.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AuditEntry } from '@leuria/agent'
import { type Clock, systemClock } from '@leuria/clock'
import { parseOrigin } from '@leuria/protocol'
import { type FakePage, fakePage, type FakePageOptions } from '@leuria/testing'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createRelay, type Owner, type Relay, type RelayChannel, type RelayOptions } from './index.js'

export const SHOP = 'https://shop.example'

export interface RelayServer {
  relay: Relay
  /** `http://127.0.0.1:<port>` */
  url: string
  /** `ws://127.0.0.1:<port>` */
  server: string
  mcpUrl: string
  /** What the relay wrote to its log. */
  log: string[]
  audit: AuditEntry[]
  /** Open TCP connections, WebSockets included. */
  connections: () => Promise<number>
  /** A channel of `https://shop.example`, and a page that has registered and declared these tools. */
  page: (options?: Partial<FakePageOptions>) => Promise<{ channel: RelayChannel; page: FakePage }>
}

export interface RelayServerOptions extends Partial<Omit<RelayOptions, 'baseUrl'>> {
  clock?: Clock
  /** @default 16 Mi */
  maxPayload?: number
}

/** Starts it; stops it, with everything open, when the test is over. */
export async function relayServer({
  maxPayload = 16 * 1024 * 1024,
  ...options
}: RelayServerOptions = {}): Promise<RelayServer> {
  const log: string[] = []
  const audit: AuditEntry[] = []
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const port = (http.address() as AddressInfo).port
  const url = `http://127.0.0.1:${port}`
  const relay = createRelay({
    clock: systemClock,
    baseUrl: () => url,
    log: (line) => log.push(line),
    audit: { record: (entry) => audit.push(entry) },
    version: '1.2.3',
    ...options,
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false })
  http.on('request', (request, response) => {
    void readBody(request).then((body) => relay.handleMcp(request, response, body))
  })
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const door = findDoor(relay, request)
    if (typeof door === 'number')
      socket.end(`HTTP/1.1 ${door} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    else sockets.handleUpgrade(request, socket, head, door)
  })
  onTestFinished(async () => {
    await relay.close()
    for (const client of sockets.clients) client.terminate()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  const server = url.replace('http', 'ws')
  return {
    relay,
    url,
    server,
    mcpUrl: `${url}/webmcp/mcp`,
    log,
    audit,
    connections: () => new Promise((resolve) => http.getConnections((_, count) => resolve(count))),
    async page(page = {}) {
      const channel = relay.open({ sessionId: 's1', origin: shop() })
      const { registrationToken } = channel
      return { channel, page: await fakePage({ origin: SHOP, server, registrationToken, ...page }) }
    },
  }
}

export function shop(): Owner {
  return parseOrigin(SHOP) ?? 'local'
}

function findDoor(relay: Relay, request: IncomingMessage): number | ((socket: WebSocket) => void) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
  const caller = parseOrigin(request.headers.origin ?? '') ?? 'local'
  if (pathname === '/webmcp/register')
    return (socket) => {
      relay.acceptRegister(socket, caller)
    }
  const id = /^\/webmcp\/channel\/([^/]+)$/.exec(pathname)?.[1] ?? ''
  const verdict = relay.authorizeChannel(id, searchParams.get('token') ?? '', caller)
  return verdict === 'ok'
    ? (socket) => {
        relay.acceptChannel(socket, id)
      }
    : verdict
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
