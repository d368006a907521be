/**
 * The page's tools as AIs outside the engine get them, over MCP. Names that some model's API would refuse get a legal, unique stand-in,
 * because one such name makes every request of that agent fail; the page is always called by its own spelling.
 */
import type { PageTool } from '@leuria/agent'

/** What the strictest model APIs take for a tool's name. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/
/** Stand-ins stay short: agents put `mcp__webmcp__` in front, and 64 is then the limit. */
const MAX_STAND_IN_LENGTH = 48

export interface OfferedTool {
  name: string
  /** The page's own name, when it had to be replaced. */
  title?: string
  description?: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations?: object
}

export interface ToolOffer {
  list: readonly OfferedTool[]
  /** The page's name for what a client calls a tool; a page's own name is understood too. */
  pageName(name: string): string
}

/** Lists change seldom and are read often: one offer per snapshot. */
const offers = new WeakMap<readonly PageTool[], ToolOffer>()

export function offerTools(tools: readonly PageTool[]): ToolOffer {
  const known = offers.get(tools)
  if (known !== undefined) return known
  const offer = createOffer(tools)
  offers.set(tools, offer)
  return offer
}

function createOffer(tools: readonly PageTool[]): ToolOffer {
  const own = new Set(tools.map(({ name }) => name))
  const pageNames = new Map<string, string>()
  const list = tools.map((tool) => {
    const name = LEGAL_NAME.test(tool.name)
      ? tool.name
      : standIn(tool.name, (taken) => own.has(taken) || pageNames.has(taken))
    if (name !== tool.name) pageNames.set(name, tool.name)
    return describe(tool, name)
  })
  return { list, pageName: (name) => pageNames.get(name) ?? name }
}

function standIn(name: string, isTaken: (name: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, MAX_STAND_IN_LENGTH)
  const base = /[A-Za-z0-9]/.test(plain) ? plain : 'tool'
  if (!isTaken(base)) return base
  let count = 2
  while (isTaken(`${base}_${count}`)) count += 1
  return `${base}_${count}`
}

function describe(tool: PageTool, name: string): OfferedTool {
  return {
    name,
    ...(name !== tool.name && { title: tool.name }),
    ...(tool.description !== '' && { description: tool.description }),
    inputSchema: { ...tool.inputSchema, type: 'object' },
    ...(tool.annotations && { annotations: tool.annotations }),
  }
}
