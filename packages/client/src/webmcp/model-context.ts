/** Where a page gives tools to the browser's own agents (https://webmachinelearning.github.io/webmcp/). Owns only the door. */

/** A tool as the browser takes it. */
export interface ContextTool {
  name: string
  description: string
  inputSchema?: object
  annotations?: object
  execute(input: unknown, options?: unknown): unknown
}

/** The part of WebMCP that is used. Older browsers return nothing, heed no signal and have `unregisterTool` instead. */
export interface ModelContext {
  registerTool(tool: ContextTool, options?: { signal?: AbortSignal }): unknown
  unregisterTool?(name: string): void
}

interface Owner {
  modelContext?: ModelContext
}

/** `document.modelContext`, else `navigator.modelContext`. `undefined`: this browser has no agents, or this is a server. */
export function modelContext(): ModelContext | undefined {
  const { document, navigator } = globalThis as { document?: Owner; navigator?: Owner }
  return document?.modelContext ?? navigator?.modelContext
}
