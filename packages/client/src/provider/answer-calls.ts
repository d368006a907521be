/**
 * Puts the pieces of tool calls together, by rules that fit every server: a different id is a different call; a piece
 * without id belongs to its index, or to the call opened last; a name after whole arguments opens a call of its own.
 */
import { asText, isFields, parseJson } from '../engine/unknown-value.js'

/** A call as it came: arguments not read yet. */
export interface RawCall {
  id: string
  name: string
  args: string
  index: unknown
}

/** Adds one piece as a server sent it, to the calls so far. */
export function addCallPiece(calls: RawCall[], piece: unknown): void {
  if (!isFields(piece)) return
  const { index } = piece
  const about = isFields(piece.function) ? piece.function : piece
  const id = asText(piece.id) ?? ''
  const name = asText(about.name) ?? ''
  let call = placeOf(calls, { id, name, index })
  if (!call) {
    if (!name) return
    call = { id, name, index, args: '' }
    calls.push(call)
  }
  call.id ||= id
  // Some servers send the whole object instead of its text.
  call.args += asText(about.arguments) ?? (about.arguments ? JSON.stringify(about.arguments) : '')
}

/** The call that a piece belongs to. `undefined`: it opens one. */
function placeOf(calls: readonly RawCall[], { id, name, index }: Omit<RawCall, 'args'>): RawCall | undefined {
  const known = calls.find((call) => id && call.id === id)
  if (known ?? (id && name)) return known
  const place = calls.findLast((call) => index === undefined || call.index === index)
  if (!name) return place ?? calls.at(-1)
  return place?.name === name && parseJson(place.args) === undefined ? place : undefined
}

/** An object, or nothing at all for a tool without parameters (FC-08). `null`: neither. */
export function readArgs(text: string): object | null {
  const value = text.trim() ? parseJson(text) : null
  if (value === null) return {}
  return isFields(value) ? value : null
}
