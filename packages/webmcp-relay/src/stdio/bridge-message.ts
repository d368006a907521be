/** What the bridge must know of a message to send it over HTTP: its id, its era, the headers it needs. */

export interface BridgeMessage {
  /** Set for requests only: they get an answer, if need be from the bridge. */
  id?: string | number
  method: string
  params: Record<string, unknown>
  /** The revision that a 2026 message names in its envelope. */
  revision?: string
}

/** `''` as method: an answer, or a batch; it is passed on as it is. */
export function readBridgeMessage(value: unknown): BridgeMessage {
  if (!isObject(value) || typeof value.method !== 'string') return { method: '', params: {} }
  const params = isObject(value.params) ? value.params : {}
  const meta = isObject(params._meta) ? params._meta : {}
  const revision = meta['io.modelcontextprotocol/protocolVersion']
  return {
    ...((typeof value.id === 'string' || typeof value.id === 'number') && { id: value.id }),
    method: value.method,
    params,
    ...(typeof revision === 'string' && { revision }),
  }
}

/** Where the `Mcp-Name` header comes from (MCP 2026-07-28, Streamable HTTP, Standard Request Headers). */
const NAME_FIELDS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** The headers that a 2026 message repeats outside its body. */
export function envelopeHeaders({ method, params, revision }: BridgeMessage): Record<string, string> {
  if (revision === undefined) return {}
  const field = Object.hasOwn(NAME_FIELDS, method) ? NAME_FIELDS[method] : undefined
  const name = field === undefined ? undefined : params[field]
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  }
}

/** Texts that no header can carry go as base64, marked as such. */
function headerText(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
