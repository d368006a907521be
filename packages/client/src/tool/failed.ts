/** A call that came to nothing, and what the AI is told of it. */
import type { ToolOutcome } from './tool.js'

export function failed(error: string): ToolOutcome {
  return { ok: false, error }
}
