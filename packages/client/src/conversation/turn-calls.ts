/** The tool calls of one turn: counted, run, answered by the visitor, and each settled exactly once. */
import type { ToolCallPart, TurnContextData } from '../message/message.js'
import { newId } from '../message/new-id.js'
import type { ToolRequest } from '../provider/provider.js'
import { failed } from '../tool/failed.js'
import { runCall, type ToolBox } from '../tool/run-call.js'
import type { ToolOutcome } from '../tool/tool.js'
import type { EventBody } from './run-event.js'

/** The turn, as its calls know it. */
export interface CallOwner {
  readonly id: string
  readonly context: TurnContextData
  /** Writes a call down as it stands, and tells it. */
  tell(call: ToolCallPart, event: EventBody): void
  /** A tool ends the turn: what the AI says from now on is dropped. */
  mute(outcome: unknown): void
  /** That tool's own outcome is known. */
  end(): void
}

/** What the AI is told that calls more tools than it may. */
const NO_MORE_CALLS = 'No more tool calls in this turn. Answer with what you have.'
const CALLED_OFF = failed('This call was called off.')

type Settle = (outcome: ToolOutcome) => void

export class TurnCalls {
  readonly #toolBox: ToolBox
  readonly #owner: CallOwner
  /** Calls under way, and how to settle each. */
  readonly #open = new Map<string, Settle>()
  /** Those of them that the visitor has to answer. */
  readonly #inputs = new Map<string, Settle>()
  /** The name of each call's tool. */
  readonly #names = new Map<string, string>()
  #endingCall = ''

  constructor(toolBox: ToolBox, owner: CallOwner) {
    this.#toolBox = toolBox
    this.#owner = owner
  }

  /** Runs a call; whatever goes wrong becomes a failed outcome. */
  async run({ name, args = {}, callId: given, signal }: ToolRequest): Promise<ToolOutcome> {
    const names = this.#names
    // A limit that is no number allows nothing.
    if (!(names.size < this.#toolBox.maxSteps)) return failed(NO_MORE_CALLS)
    const callId = given && !names.has(given) ? given : newId('call')
    names.set(callId, name)
    const call = { callId, name, args }
    const abort = new AbortController()
    return new Promise((resolve) => {
      const settle = (outcome: ToolOutcome): void => {
        if (!this.#open.delete(callId)) return
        const { ok, ...facts } = outcome
        this.#tell(call, { state: ok ? 'done' : 'error', ...facts }, { type: 'tool-result', callId, name, outcome })
        abort.abort()
        resolve(outcome)
        if (this.#endingCall === callId) this.#owner.end()
      }
      const callOff = (): void => {
        settle(CALLED_OFF)
      }
      this.#open.set(callId, settle)
      this.#tell(call, { state: 'running' }, { type: 'tool-call', ...call })
      if (signal?.aborted) callOff()
      signal?.addEventListener('abort', callOff)
      // Whoever heard of the call may have stopped the turn.
      if (this.#open.has(callId)) void this.#execute(call, abort.signal).then(settle)
    })
  }

  /** The visitor's answer to a call that waits for it. Any other is ignored: a button may be pressed twice. */
  answer(callId: string, outcome: ToolOutcome): void {
    this.#inputs.get(callId)?.(outcome)
  }

  /** Nobody waits any more. */
  callOff(): void {
    for (const settle of this.#open.values()) settle(CALLED_OFF)
  }

  #execute(call: Call, signal: AbortSignal): Promise<ToolOutcome> {
    const { id: turnId, context } = this.#owner
    const callCount = [...this.#names.values()].filter((name) => name === call.name).length
    return runCall(
      this.#toolBox,
      { ...call, turnId, context },
      {
        callCount,
        signal,
        endTurn: (outcome) => {
          this.#endTurn(call.callId, outcome)
        },
        ask: () =>
          new Promise((resolve) => {
            this.#inputs.set(call.callId, resolve)
            this.#tell(call, { state: 'awaiting-input' }, { type: 'tool-input', ...call })
          }),
      },
    )
  }

  /** The call's own outcome comes first, so that each call is told to its end. */
  #endTurn(callId: string, outcome: unknown): void {
    if (this.#endingCall) return
    this.#endingCall = callId
    this.#owner.mute(outcome)
    if (!this.#open.has(callId)) this.#owner.end()
  }

  #tell(call: Call, facts: Pick<ToolCallPart, 'state' | 'result' | 'error'>, event: EventBody): void {
    this.#owner.tell({ type: 'tool-call', ...call, ...facts }, event)
  }
}

type Call = Pick<ToolCallPart, 'callId' | 'name' | 'args'>
