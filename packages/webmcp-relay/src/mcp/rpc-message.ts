/** Reading a POST's body as far as routing needs it: is this one message, of which kind, of which era? */
import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '@leuria/agent'
import { paramsOf } from './operations.js'
import { isObject } from './page-values.js'

export type RpcId = string | number

export interface RpcMessage {
  /** Absent: a notification. */
  id?: RpcId
  method: string
  params: JsonObject
}

/** Revisions whose requests carry no envelope of their own (MCP 2025-11-25 and before). */
const PLAIN_REVISIONS: ReadonlySet<string> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
])
/** The mark of a 2026 request, in `params._meta` (MCP 2026-07-28). */
const ENVELOPE_KEY = 'io.modelcontextprotocol/protocolVersion'

/**
 * A single request or notification of the 2025 era and before.
 * `null`: a batch, an answer, a 2026 message or no message at all; the SDK knows what to say to those.
 */
export function readPlainMessage(body: unknown, request: IncomingMessage): RpcMessage | null {
  if (!isObject(body) || body.jsonrpc !== '2.0' || typeof body.method !== 'string') return null
  const revision = request.headers['mcp-protocol-version']
  if (revision !== undefined && !(typeof revision === 'string' && PLAIN_REVISIONS.has(revision))) return null
  const params = paramsOf(body.params)
  if (isObject(params._meta) && ENVELOPE_KEY in params._meta) return null
  const { id, method } = body
  if (typeof id === 'string' || typeof id === 'number') return { id, method, params }
  return 'id' in body ? null : { method, params }
}

export function progressTokenOf({ params }: RpcMessage): RpcId | undefined {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

export function resultText(id: RpcId, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function errorText(id: RpcId | null, error: { code: number; message: string; data?: unknown }): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** What an AI's client can show while the visitor makes up their mind. */
export function progressText(token: RpcId, waitedMs: number): string {
  const progress = Math.round(waitedMs / 1000)
  const params = { progressToken: token, progress, message: 'Waiting for the page' }
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })
}
