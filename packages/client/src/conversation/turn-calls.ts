/** The tool calls of one turn: counted, run, answered by the visitor, and each settled exactly once. */
import type { ToolCallPart, TurnContextData } from '../message/message.js'
import { newId } from '../message/new-id.js'
import type { ToolRequest } from '../provider/provider.js'
import { failed, runCall, type ToolBox } from '../tool/run-call.js'
import type { ToolOutcome } from '../tool/tool.js'
import type { MessageLog } from './message-log.js'
import type { EventBody } from './run-event.js'

export interface TurnCallParts {
  readonly turnId: string
  readonly context: TurnContextData
  readonly log: MessageLog
  readonly toolBox: ToolBox
  /** Tells what has happened; the log has it already. */
  emit: (event: EventBody) => void
}

export interface TurnEnder {
  /** A tool ends the turn: what the AI says from now on is dropped. */
  mute(outcome: unknown): void
  /** That tool's own outcome is known. */
  end(): void
}

/** What the AI is told that calls more tools than it may. */
const NO_MORE_CALLS = 'No more tool calls in this turn. Answer with what you have.'
const CALLED_OFF = 'This call was called off.'

type Settle = (outcome: ToolOutcome) => void

export class TurnCalls {
  readonly #parts: TurnCallParts
  readonly #ender: TurnEnder
  /** Calls under way, and how to settle each. */
  readonly #open = new Map<string, Settle>()
  /** Those of them that the visitor has to answer. */
  readonly #inputs = new Map<string, Settle>()
  readonly #callIds = new Set<string>()
  readonly #counts = new Map<string, number>()
  #endingCall: string | null = null

  constructor(parts: TurnCallParts, ender: TurnEnder) {
    this.#parts = parts
    this.#ender = ender
  }

  /** Runs a call; whatever goes wrong becomes a failed outcome. */
  run({ name, args = {}, callId: given, signal }: ToolRequest): Promise<ToolOutcome> {
    if (this.#callIds.size >= this.#parts.toolBox.maxSteps) return Promise.resolve(failed(NO_MORE_CALLS))
    const callId = given && !this.#callIds.has(given) ? given : newId('call')
    this.#callIds.add(callId)
    const part: ToolCallPart = { type: 'tool-call', callId, name, args, state: 'running' }
    const abort = new AbortController()
    const outcome = this.#settling(part, abort)
    this.#tell(part, 'tool-call')
    // Whoever hears of a call may stop the turn at once.
    if (this.#open.has(callId)) void this.#execute(part, abort.signal).then(this.#open.get(callId))
    const callOff = (): void => this.#open.get(callId)?.(failed(CALLED_OFF))
    if (signal?.aborted) callOff()
    else signal?.addEventListener('abort', callOff)
    return outcome
  }

  /** The visitor's answer to a call that waits for it. Any other is ignored: a button may be pressed twice. */
  answer(callId: string, outcome: ToolOutcome): void {
    this.#inputs.get(callId)?.(outcome)
    this.#inputs.delete(callId)
  }

  /** Nobody waits any more. */
  callOff(): void {
    for (const settle of [...this.#open.values()]) settle(failed(CALLED_OFF))
  }

  #settling(part: ToolCallPart, abort: AbortController): Promise<ToolOutcome> {
    const { callId, name } = part
    return new Promise((resolve) => {
      this.#open.set(callId, (outcome) => {
        if (!this.#open.delete(callId)) return
        this.#inputs.delete(callId)
        const { ok, ...facts } = outcome
        this.#parts.log.putCall({ ...part, state: ok ? 'done' : 'error', ...facts })
        this.#parts.emit({ type: 'tool-result', callId, name, outcome })
        abort.abort()
        resolve(outcome)
        if (this.#endingCall === callId) this.#ender.end()
      })
    })
  }

  #execute(part: ToolCallPart, signal: AbortSignal): Promise<ToolOutcome> {
    const { turnId, context, toolBox } = this.#parts
    const { callId, name, args } = part
    const callCount = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, callCount)
    return runCall(
      toolBox,
      { callId, turnId, name, args, context },
      {
        callCount,
        signal,
        endTurn: (outcome) => {
          this.#endTurn(callId, outcome)
        },
        ask: () => this.#ask(part),
      },
    )
  }

  #ask(part: ToolCallPart): Promise<ToolOutcome> {
    return new Promise((resolve) => {
      this.#inputs.set(part.callId, resolve)
      this.#tell({ ...part, state: 'awaiting-input' }, 'tool-input')
    })
  }

  /** The call's own outcome comes first, so that each call is told to its end. */
  #endTurn(callId: string, outcome: unknown): void {
    if (this.#endingCall !== null) return
    this.#endingCall = callId
    this.#ender.mute(outcome)
    if (!this.#open.has(callId)) this.#ender.end()
  }

  #tell(part: ToolCallPart, type: 'tool-call' | 'tool-input'): void {
    const { callId, name, args } = part
    this.#parts.log.putCall(part)
    this.#parts.emit({ type, callId, name, args })
  }
}
