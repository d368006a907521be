/**
 * An agent's tool calls, merged by id from every source: `tool_call`, `tool_call_update` and permission requests,
 * in any order, each of them partial (ACP, Tool calls). Keeps what was ever claimed, so that nothing can be renamed.
 */
import { TOOL_CALL_STATUSES, type ToolCallStatus } from '@leuria/protocol'
import type { ToolCallPiece } from './agent-update.js'

/** All that is known of one call. */
export interface KnownCall {
  readonly id: string
  title?: string
  kind?: string
  status?: ToolCallStatus
  rawInput?: unknown
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
    if (piece.rawInput !== undefined) call.rawInput = piece.rawInput
    if (piece.name !== undefined && piece.name !== '') call.names.add(piece.name)
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
    call.rawInput = undefined
  }

  #begin(id: string): KnownCall {
    if (this.#calls.size >= this.maxCalls) this.#forget()
    const call: KnownCall = { id, meta: {}, texts: [], names: new Set(), permission: 'never_asked', over: false }
    this.#calls.set(id, call)
    return call
  }

  #forget(): void {
    const entries = [...this.#calls]
    const oldest = entries.find(([, call]) => call.over) ?? entries[0]
    if (oldest) this.#calls.delete(oldest[0])
  }
}
