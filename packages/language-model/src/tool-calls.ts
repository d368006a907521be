/**
 * Carries out the tool calls of one answer, all at once, and reports each as it begins and ends.
 * The page's tools do the checking; a call whose arguments could not be read never gets there.
 */
import type { PageTools, ToolCallEvent, ToolContent, ToolOutcome } from '@leuria/agent'
import { TOOL_NAME_PREFIX } from '@leuria/protocol'
import type { CallArguments } from './chat-model.js'

/** A call with everything that is known about it. */
export interface PreparedCall {
  /** Unique in the conversation. */
  id: string
  /** The page's spelling. */
  pageName: string
  input: CallArguments
}

export interface CallResult {
  id: string
  /** What the model is told. */
  text: string
}

export interface RunOptions {
  tools: PageTools
  signal: AbortSignal
  report: (event: ToolCallEvent) => void
}

/** How much of unreadable arguments the model is shown. */
const MAX_SHOWN_ARGUMENTS = 500

const CANCELLED: ToolOutcome = { ok: false, code: 'cancelled', error: 'The turn was stopped.' }

/**
 * Reports `in_progress` for every call, then `completed` or `failed` as each ends; resolves with the results in the calls'
 * order. At abort it ends at once: calls that the page still works on count as cancelled.
 */
export async function runCalls(calls: readonly PreparedCall[], options: RunOptions): Promise<CallResult[]> {
  for (const call of calls) options.report(event(call, 'in_progress'))
  return Promise.all(
    calls.map(async (call) => {
      const outcome = await carryOut(call, options)
      options.report(event(call, outcome.ok ? 'completed' : 'failed'))
      return { id: call.id, text: resultText(outcome) }
    }),
  )
}

async function carryOut({ pageName, input }: PreparedCall, { tools, signal }: RunOptions): Promise<ToolOutcome> {
  if (!input.ok) return { ok: false, code: 'invalid_arguments', error: unreadable(input.text) }
  if (signal.aborted) return CANCELLED
  return new Promise((resolve) => {
    const cancel = (): void => {
      resolve(CANCELLED)
    }
    signal.addEventListener('abort', cancel)
    void tools
      .call({ name: pageName, arguments: input.value, signal })
      .then(resolve)
      .finally(() => {
        signal.removeEventListener('abort', cancel)
      })
  })
}

function event(call: PreparedCall, status: 'in_progress' | 'completed' | 'failed'): ToolCallEvent {
  return {
    type: 'tool_call',
    toolCallId: call.id,
    title: call.pageName,
    kind: 'other',
    toolName: `${TOOL_NAME_PREFIX}${call.pageName}`,
    status,
  }
}

function unreadable(text: string): string {
  const shown = text.length > MAX_SHOWN_ARGUMENTS ? `${text.slice(0, MAX_SHOWN_ARGUMENTS)}…` : text
  return `The arguments are not one complete JSON object, so the tool was not called. Call it again with valid JSON. You sent: ${shown}`
}

/** A result as the model reads it. Chat APIs take text only from tools. */
function resultText(outcome: ToolOutcome): string {
  if (!outcome.ok) return JSON.stringify({ error: outcome.error })
  const images = outcome.content?.filter((part: ToolContent) => part.type === 'image').length ?? 0
  const note =
    images === 0
      ? ''
      : `[The tool also returned ${images === 1 ? 'an image' : `${images} images`}, which you can't see.]`
  return [outcome.text, note].filter((part) => part !== '').join('\n') || '(empty)'
}
