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
  /** A tool that the page has declared now. `args` as the agent shows them; `undefined`: it doesn't. */
  | { readonly kind: 'page'; readonly tool: PageTool; readonly args: unknown }
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
const NAME_PATHS: readonly (readonly string[])[] = [['claudeCode', 'toolName'], ['toolName']]
/** Where they name the MCP server. */
const SERVER_PATHS: readonly (readonly string[])[] = [['claudeCode', 'mcpServer', 'name']]

export function identifyTool(call: KnownCall, context: IdentityContext): ToolIdentity {
  const named = new Set([...call.names, ...readPaths(call.meta, NAME_PATHS)])
  const read = readInputs(call, context.profile)
  if (read === 'contradiction') return { kind: 'outside', name: call.kind ?? 'unknown' }
  if (read !== null) {
    for (const name of read.names) named.add(name)
    return named.size > 0 ? byClaims([...named], { call, context, args: read.input }) : { kind: 'unknown' }
  }
  const { claim, input: args } = openEnvelope(call.rawInput, { named, profile: context.profile })
  if (claim !== null) {
    // The wrapper's own name is no news: what it carries is what counts.
    for (const name of context.profile.wrappers ?? []) named.delete(name)
    named.add(claim)
  }
  return named.size > 0 ? byClaims([...named], { call, context, args }) : byTitle(call, context, args)
}

function byClaims(
  claims: readonly string[],
  { call, context, args }: { call: KnownCall; context: IdentityContext; args: unknown },
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
    ? { kind: 'page', tool, args }
    : { kind: 'outside', name: claims.join(', ') }
}

function byTitle(call: KnownCall, context: IdentityContext, args: unknown): ToolIdentity {
  const { kind = 'other', title } = call
  if (EFFECT_KINDS.has(kind)) return { kind: 'outside', name: kind }
  if (title !== undefined) {
    const tool = findTool(title, context.tools) ?? findByDisplayName(title, context)
    if (tool !== null) return { kind: 'page', tool, args: shownArguments(call, context, args) }
    if (isOwn(title, context)) return { kind: 'own', name: title }
  }
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

/** Agents that show a tool's MCP title only: it must be one tool's alone. */
function findByDisplayName(title: string, { tools, profile }: IdentityContext): PageTool | null {
  if (profile.titles !== 'display_name') return null
  const [tool, second] = tools.filter(({ annotations }) => annotations?.title === title)
  return second === undefined ? (tool ?? null) : null
}

function isOwn(name: string, { profile }: IdentityContext): boolean {
  return profile.ownTools.includes(name)
}

/** Arguments as JSON text, where an agent has them nowhere else. */
function shownArguments(call: KnownCall, { profile }: IdentityContext, args: unknown): unknown {
  if (args !== undefined || profile.argumentsAsText !== true) return args
  for (const text of call.texts) {
    const value = parseObject(text)
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * What the profile reads in all inputs of a call together. `null`: nothing, so that names and titles decide. A call that
 * said what it is of, and then something that the profile can't read, isn't what it said it was.
 */
function readInputs(
  { earlierInputs = [], rawInput }: KnownCall,
  { readInput }: AgentProfile,
): { names: string[]; input: unknown } | 'contradiction' | null {
  if (readInput === undefined) return null
  const inputs = [...earlierInputs, rawInput].filter((input) => input !== undefined)
  const read = inputs.map((input) => (isObject(input) ? readInput(input) : null))
  if (read.every((each) => each === null)) return null
  if (read.includes(null)) return 'contradiction'
  const names = read.flatMap((each) => each?.name ?? [])
  return { names, input: read.map((each) => each?.input).findLast((input) => input !== undefined) }
}

/** What is inside the input of an agent that wraps calls, where the agent's own code says that it is a wrapper. */
function openEnvelope(
  rawInput: unknown,
  { named, profile }: { named: ReadonlySet<string>; profile: AgentProfile },
): { claim: string | null; input: unknown } {
  const { envelope, wrappers = [] } = profile
  const input = typeof rawInput === 'string' ? (parseObject(rawInput) ?? rawInput) : rawInput
  if (envelope === undefined || !isObject(input)) return { claim: null, input }
  const marks = Object.entries(envelope.marks)
  const marked =
    marks.length > 0 ? marks.every(([key, value]) => input[key] === value) : wrappers.some((name) => named.has(name))
  const name = input[envelope.name]
  return marked && typeof name === 'string' ? { claim: name, input: input[envelope.input] } : { claim: null, input }
}

function readPaths(meta: Record<string, unknown>, paths: readonly (readonly string[])[]): string[] {
  return paths.flatMap((path) => {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), meta)
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
