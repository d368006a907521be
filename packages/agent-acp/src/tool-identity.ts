/**
 * Which tool a call is of. Pure. Exact identity only: a structured field of the agent's, then its profile's rule, then the
 * whole title, and only if it equals one of the forms that agents are known to write (no prefix, no part).
 * Titles are for people: agents write commands and the model's own words there.
 */
import type { PageTool } from '@leuria/agent'
import { offerTools } from '@leuria/page-tools'
import { MCP_SERVER_NAME as SERVER } from '@leuria/protocol'
import type { AgentProfile } from './agent-profile.js'
import type { KnownCall } from './tool-call-book.js'

export type ToolIdentity =
  /** A tool that the page has declared now. `shown`: its arguments, wherever the agent shows them. */
  | { readonly kind: 'page'; readonly tool: PageTool; readonly shown: readonly unknown[] }
  /** One of the agent's own that does nothing outside it. */
  | { readonly kind: 'own'; readonly name: string }
  /** Written like a tool of the page's, which has none of that name now. */
  | { readonly kind: 'absent'; readonly name: string }
  /** Named, and none of these; or of a kind that has effects outside the page. */
  | { readonly kind: 'outside'; readonly name: string }
  /** Nothing says what it is. */
  | { readonly kind: 'unknown' }

export interface IdentityContext {
  tools: readonly PageTool[]
  profile: AgentProfile
}

/** How agents write "tool T of the MCP server S" (each seen in a real agent). */
export const TOOL_FORMS: readonly ((tool: string) => string)[] = [
  (tool) => `mcp__${SERVER}__${tool}`,
  (tool) => `mcp_${SERVER}_${tool}`,
  (tool) => `${SERVER}_${tool}`,
  (tool) => `${SERVER}-${tool}`,
  (tool) => `${SERVER}__${tool}`,
  (tool) => `${SERVER}___${tool}`,
  (tool) => `Tool: ${SERVER}/${tool}`,
  (tool) => `mcp.${SERVER}.${tool}`,
  (tool) => `${tool} (${SERVER} MCP Server)`,
]

/** ACP's kinds of tools that act on the computer or the network (ACP, Tool calls: kind). */
const EFFECT_KINDS: ReadonlySet<string> = new Set(['execute', 'edit', 'delete', 'move', 'fetch'])
/** Reading and searching the disk; a page's tool may be of these kinds too, so they prove less. */
const READ_KINDS: ReadonlySet<string> = new Set(['read', 'search'])

/** Where agents put a tool's programmatic name in `_meta`: set by their code, never by the model. */
const NAME_PATHS: readonly string[] = ['claudeCode.toolName', 'toolName']
/** Where they name the MCP server. */
const SERVER_PATHS: readonly string[] = ['claudeCode.mcpServer.name']

export function identifyTool(call: KnownCall, context: IdentityContext): ToolIdentity {
  const named = new Set([...call.names, ...readPaths(call.meta, NAME_PATHS)])
  const read = readInputs(call, { named, profile: context.profile })
  if (read === 'contradiction') return { kind: 'outside', name: call.kind ?? 'unknown' }
  if (read === null) {
    const shown = shownPlainly(call, context)
    return named.size > 0 ? byClaims([...named], { call, context, shown }) : byTitles(call, context, shown)
  }
  // A wrapper's own name is no news: what it carries is what counts.
  if (read.names.length > 0) for (const name of context.profile.wrappers ?? []) named.delete(name)
  for (const name of read.names) named.add(name)
  return named.size > 0 ? byClaims([...named], { call, context, shown: read.shown }) : { kind: 'unknown' }
}

function byClaims(
  claims: readonly string[],
  { call, context, shown }: { call: KnownCall; context: IdentityContext; shown: readonly unknown[] },
): ToolIdentity {
  const servers = readPaths(call.meta, SERVER_PATHS)
  const foreign = servers.find((server) => server !== SERVER)
  if (foreign !== undefined) return { kind: 'outside', name: `${foreign}/${claims[0] ?? ''}` }
  const tools = new Set<PageTool>()
  for (const claim of claims) {
    const tool = findTool(claim, context.tools)
    if (tool !== null) tools.add(tool)
    else if (claims.length > 1) return { kind: 'outside', name: claim }
    else if (isOwn(claim, context)) return { kind: 'own', name: claim }
    else return { kind: looksLikeOurs(claim) ? 'absent' : 'outside', name: claim }
  }
  const [tool, second] = tools
  return tool !== undefined && second === undefined
    ? { kind: 'page', tool, shown }
    : { kind: 'outside', name: claims.join(', ') }
}

/** Every title that the call ever had must say the same. */
function byTitles(call: KnownCall, context: IdentityContext, shown: readonly unknown[]): ToolIdentity {
  const { kind = 'other' } = call
  if (EFFECT_KINDS.has(kind)) return { kind: 'outside', name: kind }
  const titles = [...call.titles]
  const exact = titles.flatMap((title) => findTool(title, context.tools) ?? [])
  const tools = new Set(
    titles.map((title) => findTool(title, context.tools) ?? findByDisplayName(title, context, exact)),
  )
  const [tool] = tools
  if (tools.size === 1 && tool !== undefined && tool !== null) return { kind: 'page', tool, shown }
  const [first] = titles
  if (first !== undefined && titles.every((title) => isOwn(title, context))) return { kind: 'own', name: first }
  return READ_KINDS.has(kind) ? { kind: 'outside', name: kind } : { kind: 'unknown' }
}

/** The declared tool that `written` is an exact form of, under the name agents have it by. `null` too if it could be two. */
function findTool(written: string, tools: readonly PageTool[]): PageTool | null {
  const offer = offerTools(tools)
  const found = new Set<string>()
  for (const { name } of offer.list)
    if (TOOL_FORMS.some((form) => form(name) === written)) found.add(offer.pageName(name))
  const [name, second] = found
  return second === undefined ? (tools.find((tool) => tool.name === name) ?? null) : null
}

/** Never a reason to allow anything: only to tell a tool that doesn't exist from one that acts elsewhere. */
function looksLikeOurs(written: string): boolean {
  return TOOL_FORMS.some((form) => {
    const [before = '', after = ''] = form('\n').split('\n')
    return written.startsWith(before) && written.endsWith(after)
  })
}

/**
 * Agents that show a tool's MCP title only: it must be one tool's alone. They show the bare name of a tool that has no
 * title, which says nothing by itself: another title of the call must have said it in an exact form.
 */
function findByDisplayName(
  title: string,
  { tools, profile }: IdentityContext,
  exact: readonly PageTool[],
): PageTool | null {
  if (profile.titles !== 'display_name') return null
  const [tool, second] = tools.filter(({ annotations }) => annotations?.title === title)
  if (second !== undefined) return null
  return tool ?? exact.find(({ name, annotations }) => name === title && annotations?.title === undefined) ?? null
}

function isOwn(name: string, { profile }: IdentityContext): boolean {
  return profile.ownTools.includes(name)
}

/** The newest input; or the arguments as JSON text, where an agent has them nowhere else. */
function shownPlainly(call: KnownCall, { profile }: IdentityContext): unknown[] {
  const input = call.rawInputs.at(-1)
  if (input !== undefined) return [parsed(input)]
  if (profile.argumentsAsText !== true) return []
  const value = call.texts.map(parseObject).find((object) => object !== undefined)
  return value === undefined ? [] : [value]
}

/**
 * What the profile reads in all inputs of a call together. `null`: nothing, so that names and titles decide. A call that
 * said what it is of, and then something that the profile can't read, isn't what it said it was.
 */
function readInputs(
  { rawInputs }: KnownCall,
  { named, profile: { readInput } }: { named: ReadonlySet<string>; profile: AgentProfile },
): { names: string[]; shown: unknown[] } | 'contradiction' | null {
  if (readInput === undefined) return null
  const read = rawInputs.map(parsed).map((input) => (isObject(input) ? readInput(input, named) : null))
  if (read.every((each) => each === null)) return null
  if (read.includes(null)) return 'contradiction'
  const shown = read.flatMap((each) => (each?.input === undefined ? [] : [each.input]))
  return { names: read.flatMap((each) => each?.name ?? []), shown }
}

function parsed(input: unknown): unknown {
  return typeof input === 'string' ? (parseObject(input) ?? input) : input
}

/** `a.b.c` */
function readPath(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (isObject(at) ? at[key] : undefined), value)
}

function readPaths(meta: Record<string, unknown>, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const value = readPath(meta, path)
    return typeof value === 'string' && value !== '' ? [value] : []
  })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
