/** What an AI is given of a tool's outcome: texts as they are, anything else as JSON, a failure as `{ error }`. */
import type { ToolOutcome } from '../tool/tool.js'

export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  // `undefined` and functions have no JSON, though the types say so.
  const json: unknown = JSON.stringify(result)
  return typeof json === 'string' ? json : 'null'
}

export function outcomeText(outcome: ToolOutcome): string {
  return resultText(outcome.ok ? outcome.result : { error: outcome.error })
}
