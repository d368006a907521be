/** Offers a page's tools to the browser's own agents, until they are taken back. */
import { newId } from '../message/new-id.js'
import { resultText } from '../provider/outcome-text.js'
import { checkStandard } from '../tool/check-standard.js'
import { jsonSchemaOf } from '../tool/read-schema.js'
import type { Tool } from '../tool/tool.js'
import { ours } from './captured-tools.js'
import { type ContextTool, modelContext } from './model-context.js'

export interface ExposeOptions {
  /** Aborted: the tools are taken back. */
  signal?: AbortSignal
}

/**
 * Registers the tools that run in the page (those that wait for the visitor are left out). There are no turns here: `turnId`
 * is `webmcp`, `context` empty, and `endTurn` does nothing. What can't be registered is told in the console.
 * @returns its undo
 */
export function exposeTools(tools: readonly Tool[], { signal }: ExposeOptions = {}): () => void {
  const context = modelContext()
  const stop = new AbortController()
  const undo = (): void => {
    stop.abort()
  }
  if (!context || signal?.aborted) return undo
  signal?.addEventListener('abort', undo, { signal: stop.signal })
  for (const tool of tools) {
    const warn = (error: unknown): void => {
      console.warn(`The tool ${tool.name} isn't offered to this browser's agents.`, error)
    }
    try {
      const entry = contextTool(tool)
      if (!entry) continue
      ours.add(entry)
      Promise.resolve(context.registerTool(entry, { signal: stop.signal })).catch(warn)
      stop.signal.addEventListener('abort', () => context.unregisterTool?.(tool.name))
    } catch (error) {
      warn(error)
    }
  }
  return undo
}

function contextTool({ name, description, inputSchema = {}, annotations, execute }: Tool): ContextTool | null {
  if (!execute) return null
  let callCount = 0
  const run = async (input: unknown, options: unknown): Promise<unknown> => {
    const checked = await checkStandard(inputSchema, input)
    if (!checked.ok) throw new Error(checked.error)
    const { signal = new AbortController().signal } = (options ?? {}) as { signal?: AbortSignal }
    const more = { context: {}, callId: newId('call'), turnId: 'webmcp', signal, endTurn: () => undefined }
    return execute(checked.value, { ...more, callCount: (callCount += 1) })
  }
  return {
    name,
    description,
    inputSchema: { type: 'object', ...jsonSchemaOf(inputSchema) },
    annotations,
    execute: (input, options) =>
      run(input, options).then(resultText, (error: unknown) =>
        resultText({ error: error instanceof Error ? error.message : String(error) }),
      ),
  }
}
