/**
 * `fetch` for a page behind a proxy: connects to another port and still names the address's own host, which Node's
 * `fetch` can't. A connection for each request, so that whatever the proxy does meets one request only.
 */
import { type IncomingMessage, request } from 'node:http'

/** Statuses whose answers have no body. */
const BODILESS: readonly (number | undefined)[] = [204, 304]

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk))
      })
      incoming.on('end', () => {
        controller.close()
      })
      incoming.on('error', (error) => {
        controller.error(error)
      })
    },
    cancel() {
      incoming.destroy()
    },
  })
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = BODILESS.includes(incoming.statusCode) ? null : bodyOf(incoming)
  return new Response(body, { status: incoming.statusCode, headers })
}

export interface PortRequest {
  method?: string
  headers: Headers
  signal: AbortSignal
  /** Text only. */
  body?: unknown
}

export function fetchViaPort(port: number, input: string, init: PortRequest): Promise<Response> {
  const { hostname, host, pathname, search } = new URL(input)
  const { method, signal, body } = init
  const headers: Record<string, string> = { host }
  for (const [name, value] of init.headers) headers[name] = value
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: `${pathname}${search}`, method, headers, signal, agent: false }
    const outgoing = request(options, (incoming) => {
      resolve(toResponse(incoming))
    })
    outgoing.on('error', (cause) => {
      const reason: unknown = signal.aborted ? signal.reason : null
      reject(reason instanceof Error ? reason : new TypeError('Failed to fetch', { cause }))
    })
    outgoing.end(typeof body === 'string' ? body : undefined)
  })
}
