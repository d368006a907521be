/**
 * The tools that a page registered for the browser's agents, as tools for the visitor's AI. What keeps them is the script
 * `webmcp-capture.ts`, which the page loads first; without it there are none.
 */
import type { JsonSchema } from '../tool/schema-input.js'
import type { Tool } from '../tool/tool.js'
import type { ContextTool } from './model-context.js'

/** Where the script keeps what it saw: the two share nothing else. */
interface Capture {
  readonly tools: ReadonlySet<ContextTool>
  readonly listeners: Set<() => void>
}

/** What `exposeTools` registered: the page has these as tools already. */
export const ours = /* @__PURE__ */ new WeakSet<object>()

const made = /* @__PURE__ */ new WeakMap<ContextTool, Tool>()
let last: readonly Tool[] = []

function capture(): Capture | undefined {
  return (globalThis as { leuriaWebMCP?: Capture }).leuriaWebMCP
}

/**
 * What is registered now; a new list only when that changed. Two of one name can't be told apart by an AI: the last counts.
 * With React: `useSyncExternalStore(subscribeCapturedTools, capturedTools)`.
 */
export function capturedTools(): readonly Tool[] {
  const named = new Map<string, Tool>()
  for (const tool of capture()?.tools ?? []) if (!ours.has(tool)) named.set(tool.name, toTool(tool))
  const tools = [...named.values()]
  if (tools.length !== last.length || tools.some((tool, at) => tool !== last[at])) last = tools
  return last
}

/** Tells when `capturedTools` may have changed. Returns its undo. */
export function subscribeCapturedTools(listener: () => void): () => void {
  // A wrapper of its own, so that the same function added twice has two undos.
  const own = (): void => {
    listener()
  }
  const listeners = capture()?.listeners
  listeners?.add(own)
  return () => {
    listeners?.delete(own)
  }
}

function toTool(tool: ContextTool): Tool {
  let known = made.get(tool)
  if (!known) {
    const { name, description, inputSchema, annotations } = tool
    known = {
      name,
      description,
      inputSchema: inputSchema as JsonSchema | undefined,
      annotations,
      execute: (args, { signal }) => tool.execute(args ?? {}, { signal }),
    }
    made.set(tool, known)
  }
  return known
}
