/**
 * A page's tools at an MCP endpoint on loopback, as small as can be: initialize, tools/list, tools/call with a bearer token.
 * `@leuria/webmcp-relay` has the real one; this is for adapters, which may not know it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PageTools } from '@leuria/agent'

export interface FakeMcpEndpoint {
  url: string
  token: string
  /** Resolves at the first `initialize`. */
  connected: Promise<void>
  /** Methods in order, with the User-Agent of whoever asked. */
  readonly requests: readonly { method: string; from: string }[]
  close(): Promise<void>
}

interface Rpc {
  id?: string | number
  method?: string
  params?: { name?: string; arguments?: unknown; requestId?: string | number }
}

export async function fakeMcpEndpoint(tools: PageTools, token = 'agent-token'): Promise<FakeMcpEndpoint> {
  const requests: { method: string; from: string }[] = []
  const open = new Map<string | number, AbortController>()
  let connect: () => void = () => undefined
  const connected = new Promise<void>((resolve) => (connect = resolve))
  const server = createServer((request, response) => {
    void (async () => {
      if (request.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401).end()
        return
      }
      if (request.method !== 'POST') {
        response.writeHead(405).end()
        return
      }
      const message = JSON.parse(await bodyOf(request)) as Rpc
      requests.push({ method: message.method ?? '', from: request.headers['user-agent'] ?? '' })
      if (message.method === 'initialize') connect()
      await answer({ tools, open }, message, response)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webmcp/mcp`,
    token,
    connected,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

interface Endpoint {
  tools: PageTools
  open: Map<string | number, AbortController>
}

async function answer({ tools, open }: Endpoint, { id, method, params }: Rpc, response: ServerResponse): Promise<void> {
  const send = (result: object): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
  if (id === undefined) {
    if (method === 'notifications/cancelled') open.get(params?.requestId ?? '')?.abort()
    response.writeHead(202).end()
  } else if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } }
    send({ protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'webmcp', version: '0' } })
  } else if (method === 'tools/list') send({ tools: tools.listTools() })
  else if (method === 'tools/call') {
    const hangUp = new AbortController()
    open.set(id, hangUp)
    response.on('close', () => {
      hangUp.abort()
    })
    const outcome = await tools.call({
      name: params?.name ?? '',
      arguments: params?.arguments ?? {},
      signal: hangUp.signal,
    })
    open.delete(id)
    const text = outcome.ok ? outcome.text : outcome.error
    if (!response.destroyed) send({ content: [{ type: 'text', text }], isError: !outcome.ok })
  } else send({})
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
