/**
 * An agent's tool calls, merged by id from every source: `tool_call`, `tool_call_update` and permission requests,
 * in any order, each of them partial (ACP, Tool calls). Keeps what was ever claimed, so that nothing can be renamed.
 */
import { TOOL_CALL_STATUSES, type ToolCallStatus } from '@leuria/protocol'
import type { ToolCallPiece } from './agent-update.js'

/** All that is known of one call. */
export interface KnownCall {
  readonly id: string
  /** To show: the first one told outside a permission request. */
  title?: string
  /** Every title the agent gave. */
  readonly titles: Set<string>
  kind?: string
  status?: ToolCallStatus
  /** Inputs as told, the newest last; a few at most. */
  rawInputs: readonly unknown[]
  /** What `rawInput` said before: an agent may say something else when it asks than when it began. */
  earlierInputs?: readonly unknown[]
  /** `_meta`, fields of later messages over those of earlier ones. */
  meta: Record<string, unknown>
  texts: readonly string[]
  /** Every `name` the agent gave. */
  readonly names: Set<string>
  /** What became of its permission; at most one is given for a call. */
  permission: 'never_asked' | 'allowed' | 'refused'
  /** It has been completed or has failed: whatever comes under its id now is something else. */
  over: boolean
}

/** Agents that stream arguments tell an input many times; the last two are from different sources at most. */
const MAX_INPUTS = 4
/** A call with more titles or names than this is no honest one; nothing is allowed for it any more. */
const MAX_CLAIMS = 32

export function emptyCall(id: string): KnownCall {
  return {
    id,
    titles: new Set(),
    rawInputs: [],
    meta: {},
    texts: [],
    names: new Set(),
    permission: 'never_asked',
    over: false,
  }
}

export class ToolCallBook {
  readonly #calls = new Map<string, KnownCall>()

  constructor(readonly maxCalls: number) {}

  get size(): number {
    return this.#calls.size
  }

  find(id: string): KnownCall | undefined {
    return this.#calls.get(id)
  }

  /** Every call that isn't over. */
  open(): KnownCall[] {
    return [...this.#calls.values()].filter((call) => !call.over)
  }

  /** Writes down what a message says. Of a call that is over nothing is changed. */
  merge(piece: ToolCallPiece): KnownCall {
    const call = this.#calls.get(piece.toolCallId) ?? this.#begin(piece.toolCallId)
    if (call.over) return call
    if (piece.title !== undefined && piece.title !== '') call.title = piece.title
    if (piece.kind !== undefined) call.kind = piece.kind
    if (piece.rawInput !== undefined) replaceInput(call, piece.rawInput)
    if (piece.name !== undefined && piece.name !== '' && call.names.size < MAX_CLAIMS) call.names.add(piece.name)
    if (piece.texts !== undefined && piece.texts.length > 0) call.texts = piece.texts
    Object.assign(call.meta, piece.meta)
    const status = TOOL_CALL_STATUSES.find((each) => each === piece.status)
    if (status !== undefined) call.status = status
    return call
  }

  /** Nothing changes it from here on. */
  finish(call: KnownCall): void {
    call.over = true
    // Memory: of a finished call only its id matters.
    call.texts = []
    call.rawInputs = []
    call.earlierInputs = undefined
  }

  #begin(id: string): KnownCall {
    if (this.#calls.size >= this.maxCalls) this.#forget()
    const call = emptyCall(id)
    this.#calls.set(id, call)
    return call
  }

  #forget(): void {
    const entries = [...this.#calls]
    const oldest = entries.find(([, call]) => call.over) ?? entries[0]
    if (oldest) this.#calls.delete(oldest[0])
  }
}

/** Inputs that come in pieces are many; who the call is of is said in the first ones. */
const MAX_EARLIER_INPUTS = 8

function replaceInput(call: KnownCall, rawInput: unknown): void {
  const { earlierInputs = [], rawInput: before } = call
  if (before !== undefined && earlierInputs.length < MAX_EARLIER_INPUTS) call.earlierInputs = [...earlierInputs, before]
  call.rawInput = rawInput
}
