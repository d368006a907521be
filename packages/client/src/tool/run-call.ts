/** Running one call of an AI's: through the layers around it, its arguments checked, to an outcome. Never throws. */
import { messageOf } from '../errors.js'
import { checkStandard } from './check-standard.js'
import { failed } from './failed.js'
import type { Middleware, Tool, ToolCall, ToolContext, ToolOutcome } from './tool.js'

export interface ToolBox {
  readonly tools: ReadonlyMap<string, Tool>
  /** Outermost first. */
  readonly layers: readonly Middleware[]
  /** Most calls a turn. */
  readonly maxSteps: number
}

/** What a call needs of its turn. */
export interface CallSeat extends Omit<ToolContext, keyof ToolCall> {
  /** Has the visitor answer. */
  ask: () => Promise<ToolOutcome>
}

/** Runs a call; whatever goes wrong becomes a failed outcome for the AI. */
export function runCall({ tools, layers }: ToolBox, call: ToolCall, seat: CallSeat): Promise<ToolOutcome> {
  const through = async (at: number, current: ToolCall): Promise<ToolOutcome> => {
    try {
      const layer = layers[at]
      const outcome = layer
        ? await layer(current, (next = current) => through(at + 1, next))
        : await execute(tools.get(current.name), current, seat)
      return outcome.ok ? { ok: true, result: outcome.result } : failed(outcome.error)
    } catch (error) {
      return failed(messageOf(error))
    }
  }
  return through(0, call)
}

async function execute(tool: Tool | undefined, call: ToolCall, { ask, ...seat }: CallSeat): Promise<ToolOutcome> {
  if (!tool) return failed(`There is no tool called ${call.name}.`)
  const checked = await checkStandard(tool.inputSchema, call.args)
  if (!checked.ok) return failed(`These arguments don't fit. ${checked.error}`)
  if (!tool.execute) return ask()
  // The turn may have ended while a layer or a check took its time.
  seat.signal.throwIfAborted()
  const { callId, turnId, context } = call
  return { ok: true, result: await tool.execute(checked.value, { ...seat, callId, turnId, context }) }
}
