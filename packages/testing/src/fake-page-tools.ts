/**
 * A page's tools without a page: declared by the test, calls recorded, results given by a function.
 * Knows nothing of schemas, or of budgets but an adapter's own: `@leuria/page-tools` is where those live.
 */
import type { CallLimit, CallSignal, JsonObject, PageTool, PageTools, ToolOutcome } from '@leuria/agent'

/** How a fake tool answers: an outcome, or a string for a result. May wait; gets the call's signal. */
export type FakeToolRun = (
  args: JsonObject,
  signal: CallSignal | undefined,
) => ToolOutcome | string | Promise<ToolOutcome | string>

export interface FakeTool {
  /** @default a sentence with the tool's name */
  description?: string
  /** @default an object schema without properties */
  inputSchema?: JsonObject
  /** @default answers "ok" */
  run?: FakeToolRun
}

/** A call as the AI made it. */
export interface FakeToolCall {
  name: string
  arguments: unknown
  signal: CallSignal | undefined
}

export interface FakePageTools extends PageTools {
  /** Every call so far, calls of unknown tools included. */
  readonly calls: readonly FakeToolCall[]
  declare(name: string, tool?: FakeTool): void
  remove(name: string): void
  /** Resolves with call number `count` (1-based) as soon as it was made. */
  called(count: number): Promise<FakeToolCall>
}

/** A tool that answers only when its call is cancelled: for tests that stop a turn in the middle of a call. */
export const waitingTool: FakeTool = {
  run: (_args, signal) =>
    new Promise((resolve) => {
      const cancelled = (): void => {
        resolve({ ok: false, code: 'cancelled', error: 'The call was cancelled.' })
      }
      if (signal?.aborted === true) cancelled()
      else signal?.addEventListener('abort', cancelled)
    }),
}

function declared(name: string, tool: FakeTool): PageTool {
  return {
    name,
    description: tool.description ?? `The page's ${name}.`,
    inputSchema: tool.inputSchema ?? { type: 'object', properties: {} },
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function answer(tool: FakeTool, call: FakeToolCall): Promise<ToolOutcome> {
  const { arguments: args } = call
  if (!isObject(args)) return { ok: false, code: 'invalid_arguments', error: 'The arguments must be an object.' }
  try {
    const result = (await tool.run?.(args, call.signal)) ?? 'ok'
    return typeof result === 'string' ? { ok: true, text: result } : result
  } catch (error) {
    return { ok: false, code: 'page_error', error: error instanceof Error ? error.message : String(error) }
  }
}

/** @param tools name → tool, in the order they are listed */
export function fakePageTools(tools: Readonly<Record<string, FakeTool>> = {}): FakePageTools {
  const known = new Map<string, FakeTool>(Object.entries(tools))
  const calls: FakeToolCall[] = []
  const listeners = new Set<(list: 'tools' | 'resources' | 'prompts') => void>()
  const waiting: { count: number; resolve: (call: FakeToolCall) => void }[] = []
  let list: readonly PageTool[] = []
  let limit: { set: CallLimit; used: number } | null = null
  const isOver = (): boolean => {
    if (limit === null) return false
    limit.used += 1
    if (limit.used === limit.set.maxCalls + 1) limit.set.onOver()
    return limit.used > limit.set.maxCalls
  }

  const changed = (): void => {
    list = [...known].map(([name, tool]) => declared(name, tool))
    for (const listener of listeners) listener('tools')
  }
  changed()

  return {
    calls,
    declare(name, tool = {}) {
      known.set(name, tool)
      changed()
    },
    remove(name) {
      known.delete(name)
      changed()
    },
    called(count) {
      const call = calls[count - 1]
      if (call !== undefined) return Promise.resolve(call)
      return new Promise((resolve) => waiting.push({ count, resolve }))
    },
    listTools: () => list,
    listResources: () => [],
    listPrompts: () => [],
    limitCalls(set) {
      limit = { set, used: 0 }
    },
    async call({ name, arguments: args, signal }) {
      const call = { name, arguments: args ?? {}, signal }
      calls.push(call)
      for (const waiter of waiting) if (waiter.count === calls.length) waiter.resolve(call)
      if (isOver()) return { ok: false, code: 'over_budget', error: 'There were enough calls in this turn.' }
      const tool = known.get(name)
      if (tool === undefined) return { ok: false, code: 'unknown_tool', error: `There is no tool named ${name}.` }
      return answer(tool, call)
    },
    readResource: async () => ({ ok: false, code: 'page_error', error: 'This page has no resources.' }),
    getPrompt: async () => ({ ok: false, code: 'page_error', error: 'This page has no prompts.' }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
