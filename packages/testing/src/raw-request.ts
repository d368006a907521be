/** A request with exactly the headers a test names, over `node:http`: browsers' clients would add or forbid some. */
import { request } from 'node:http'

export interface RawRequest {
  port: number
  method?: string
  /** The request-target, sent as it is. */
  path: string
  /** In order; a name may come twice. `Host` is added when missing. */
  headers?: readonly (readonly [name: string, value: string])[]
  body?: string | Uint8Array
  signal?: AbortSignal
}

export interface RawAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
  /** The body as JSON; `undefined` when it isn't. */
  json: unknown
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends it and reads the whole answer. Rejects when the connection is closed before an answer came. */
export function rawRequest({ port, method = 'GET', path, headers = [], body, signal }: RawRequest): Promise<RawAnswer> {
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const all = [
    ...(named.has('host') ? [] : [['Host', `127.0.0.1:${port}`] as const]),
    ...headers,
    ...(body === undefined || named.has('content-length') || named.has('transfer-encoding')
      ? []
      : [['Content-Length', String(Buffer.byteLength(body))] as const]),
  ]
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        setHost: false,
        headers: all.flat(),
        agent: false,
        ...(signal === undefined ? {} : { signal }),
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: parse(text) })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
