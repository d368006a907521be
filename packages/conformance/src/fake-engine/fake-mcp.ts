/** The AI's side of the kit's engine: a page's tools over MCP, as much of it as an agent needs to call them. */
import { MCP_SERVER_NAME } from '@leuria/protocol'
import type { EngineDefect } from './defects.js'
import { type CallOutcome, type FakeChannel, fieldsIn, type Fields } from './fake-channel.js'

const PROTOCOL_VERSION = '2025-06-18'

class RpcError extends Error {}

function textOf(value: unknown): string {
  return value === undefined ? 'null' : typeof value === 'string' ? value : JSON.stringify(value)
}

function mustBeOk(outcome: CallOutcome): unknown {
  if (!outcome.ok) throw new RpcError(outcome.error)
  return outcome.value
}

async function callTool(channel: FakeChannel, params: Fields, asJson: boolean): Promise<Fields> {
  const outcome = await channel.call(String(params.name), params.arguments ?? {})
  if (!outcome.ok) return { content: [{ type: 'text', text: outcome.error }], isError: true }
  const text = asJson ? JSON.stringify(outcome.value) : textOf(outcome.value)
  return { content: [{ type: 'text', text }] }
}

async function readResource(channel: FakeChannel, { uri }: Fields): Promise<Fields> {
  const text = textOf(mustBeOk(await channel.ask({ type: 'readResource', uri })))
  return { contents: [{ uri, text }] }
}

async function getPrompt(channel: FakeChannel, params: Fields): Promise<Fields> {
  return fieldsIn(
    mustBeOk(await channel.ask({ type: 'getPrompt', name: params.name, arguments: params.arguments ?? {} })),
  )
}

function perform(
  channel: FakeChannel,
  { method, params }: { method: unknown; params: Fields },
  asJson: boolean,
): Fields | Promise<Fields> {
  const emptySchema = { type: 'object', properties: {} }
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: PROTOCOL_VERSION,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: MCP_SERVER_NAME, version: '1' },
      }
    case 'tools/list':
      return { tools: [...channel.tools.values()].map((tool) => ({ inputSchema: emptySchema, ...tool })) }
    case 'tools/call':
      return callTool(channel, params, asJson)
    case 'resources/list':
      return { resources: [...channel.resources.values()] }
    case 'resources/read':
      return readResource(channel, params)
    case 'prompts/list':
      return { prompts: [...channel.prompts.values()] }
    case 'prompts/get':
      return getPrompt(channel, params)
    default:
      throw new RpcError('There is no such method.')
  }
}

/** A JSON-RPC message → its reply; null for a notification. */
export async function answerMcp(
  channel: FakeChannel,
  message: Fields,
  has: (defect: EngineDefect) => boolean,
): Promise<Fields | null> {
  const { id, method } = message
  if (id === undefined) return null
  try {
    const result = await perform(channel, { method, params: fieldsIn(message.params) }, has('text_as_json'))
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { jsonrpc: '2.0', id, error: { code: -32_603, message: error.message } }
  }
}
