/**
 * What each MCP method does with the page's tools: parameters in, result out. One home for both ways in,
 * the SDK's server and the quick one, so that they can't answer differently.
 */
import type { CallSignal, JsonObject, PageTools, PageValue } from '@leuria/agent'
import { McpFault, RPC } from './mcp-fault.js'
import { offerTools } from '@leuria/page-tools'
import { isObject, promptResult, resourceContents } from './page-values.js'

/** @throws McpFault */
export type Operation = (tools: PageTools, params: JsonObject, signal?: CallSignal) => object | Promise<object>

export const OPERATIONS = {
  ping: () => ({}),
  'tools/list': (tools) => ({ tools: offerTools(tools.listTools()).list }),
  'tools/call': callTool,
  'resources/list': (tools) => ({ resources: tools.listResources() }),
  // Pages declare no templates; clients ask for them all the same.
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': readResource,
  'prompts/list': (tools) => ({ prompts: tools.listPrompts() }),
  'prompts/get': getPrompt,
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS

export function isOperation(method: string): method is OperationName {
  return Object.hasOwn(OPERATIONS, method)
}

/** Operations that wait for the page. */
export const SLOW_OPERATIONS: ReadonlySet<string> = new Set<OperationName>([
  'tools/call',
  'resources/read',
  'prompts/get',
])

/** "An error reaches it as a failed tool call" (Page tools): `isError`, except for a tool that doesn't exist (MCP, Tools). */
async function callTool(tools: PageTools, params: JsonObject, signal?: CallSignal): Promise<object> {
  const name = offerTools(tools.listTools()).pageName(text(params, 'name'))
  const outcome = await tools.call({ name, arguments: params.arguments, signal })
  if (!outcome.ok) {
    if (outcome.code === 'unknown_tool') throw new McpFault(RPC.invalidParams, outcome.error)
    return { content: [{ type: 'text', text: outcome.error }], isError: true }
  }
  const { content, structuredContent } = outcome
  return {
    content: content ?? [{ type: 'text', text: outcome.text }],
    ...(structuredContent && { structuredContent }),
  }
}

async function readResource(tools: PageTools, params: JsonObject, signal?: CallSignal): Promise<object> {
  const uri = text(params, 'uri')
  const resource = tools.listResources().find((each) => each.uri === uri)
  if (resource === undefined) throw new McpFault(RPC.invalidParams, `Resource not found: ${uri.slice(0, 256)}`, { uri })
  return { contents: resourceContents(resource, valueOf(await tools.readResource(uri, signal))) }
}

async function getPrompt(tools: PageTools, params: JsonObject, signal?: CallSignal): Promise<object> {
  return promptResult(valueOf(await tools.getPrompt(text(params, 'name'), params.arguments, signal)))
}

function valueOf(answer: PageValue): unknown {
  if (answer.ok) return answer.value
  throw new McpFault(answer.code === 'unknown_tool' ? RPC.invalidParams : RPC.internalError, answer.error)
}

function text(params: JsonObject, field: string): string {
  const value = params[field]
  if (typeof value === 'string') return value
  throw new McpFault(RPC.invalidParams, `params.${field} must be a text.`)
}

/** JSON-RPC parameters are optional. */
export function paramsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
