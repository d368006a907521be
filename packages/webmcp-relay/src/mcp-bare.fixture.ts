/** The smallest MCP client there can be: one POST, one answer. */

export interface BareAnswer {
  status: number
  type: string
  headers: Headers
  /** The body as it came. */
  text: string
  /** The last JSON value in it: the body, or the data of the last event. */
  json: unknown
}

export interface BareTarget {
  url: string
  /** Without one: no `Authorization`. */
  token: string | null
}

export interface BareOptions {
  headers?: Record<string, string>
  method?: string
  signal?: AbortSignal
}

/** Sends exactly this body (texts as they are) with a bearer token. */
export async function post({ url, token }: BareTarget, body: unknown, options: BareOptions = {}): Promise<BareAnswer> {
  const { headers, ...rest } = options
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...rest,
  })
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    headers: response.headers,
    text,
    json: lastJson(text),
  }
}

/** A JSON-RPC request. */
export function rpc(method: string, params?: object, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) }
}

export const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bare', version: '1' },
}

function lastJson(text: string): unknown {
  const events = text.split('\n').filter((line) => line.startsWith('data: '))
  const json = events.at(-1)?.slice('data: '.length) ?? text
  return json.trim() === '' ? null : (JSON.parse(json) as unknown)
}
