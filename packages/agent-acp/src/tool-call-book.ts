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
  /** `_meta`, fields of later messages over those of earlier ones. */
  meta: Record<string, unknown>
  texts: readonly string[]
  /** Every `name` the agent gave. */
  readonly names: Set<string>
  /** What became of its permission; at most one is given for a call. */
  permission: 'never_asked' | 'allowed' | 'refused'
  /** It has been completed or has failed: whatever comes under its id now is something else. */
  over: boolean
  /** What was last reported of it. */
  shown?: string
}

/** Inputs that come in pieces are many: what the call is of is said in the first ones, what is asked in the last. */
const MAX_INPUTS = 8
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
  merge(piece: ToolCallPiece, from: 'update' | 'request' = 'update'): KnownCall {
    const call = this.#calls.get(piece.toolCallId) ?? this.#begin(piece.toolCallId)
    if (call.over) return call
    if (piece.title !== undefined && piece.title !== '') {
      if (from === 'update' || call.title === undefined) call.title = piece.title
      if (call.titles.size < MAX_CLAIMS) call.titles.add(piece.title)
    }
    if (piece.kind !== undefined) call.kind = piece.kind
    if (piece.rawInput !== undefined) call.rawInputs = addInput(call.rawInputs, piece.rawInput)
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

function addInput(inputs: readonly unknown[], input: unknown): unknown[] {
  return [...inputs.slice(0, MAX_INPUTS - 1), input]
}
