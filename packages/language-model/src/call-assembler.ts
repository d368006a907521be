/**
 * Puts the pieces of tool calls together, by the rules that fit every server seen so far:
 * a different id is a different call; a piece without id belongs to its index, or to the call opened last;
 * a name repeated with every piece is the same call until that call's arguments are complete.
 */
import type { CallDelta } from './answer-chunk.js'
import { JsonBalance } from './json-balance.js'

/** A call as it came: arguments not read yet. */
export interface RawCall {
  id: string
  name: string
  arguments: string
}

interface OpenCall extends RawCall {
  index: number | undefined
  /** Of its arguments. */
  balance: JsonBalance
}

/** More calls than this in one answer, and a server is out of its mind. */
export const MAX_CALLS_IN_ANSWER = 128
/** A name in pieces grows no further than this: twice what any tool may have. */
const MAX_NAME_LENGTH = 256

export class CallAssembler {
  readonly #calls: OpenCall[] = []

  /** @param isTool tells names that were offered: how a name in pieces is told from a second call */
  constructor(private readonly isTool: (name: string) => boolean) {}

  get empty(): boolean {
    return this.#calls.length === 0
  }

  add(delta: CallDelta): void {
    const call = this.#find(delta) ?? this.#open(delta)
    if (call === null) return
    if (delta.id !== undefined && call.id === '') call.id = delta.id
    const { name } = delta
    if (name !== undefined && name !== call.name && call.name.length <= MAX_NAME_LENGTH && !this.isTool(call.name))
      call.name += name
    const more = newArguments(call.arguments, delta.arguments)
    call.arguments += more
    call.balance.take(more)
  }

  /** Calls in the order they were opened. Those without a name are no calls. */
  list(): RawCall[] {
    return this.#calls
      .filter((call) => call.name !== '')
      .map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))
  }

  /** The call that a piece belongs to. `null`: it opens one. */
  #find(delta: CallDelta): OpenCall | null {
    const { id, index, name } = delta
    const place = index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index)
    if (id !== undefined) {
      const known = this.#calls.find((call) => call.id === id)
      if (known !== undefined) return known
      // A new id with a name is a new call. Without one it continues: some servers make an id for every piece.
      if (name !== undefined || place === undefined)
        return place !== undefined && this.#awaitsId(place, delta) ? place : null
      return place
    }
    if (place === undefined) return index === undefined || name !== undefined ? null : this.#lastWithoutIndex()
    return name !== undefined && this.#opensSecond(place, delta) ? null : place
  }

  /** The id may come after the name. */
  #awaitsId(call: OpenCall, delta: CallDelta): boolean {
    return call.id === '' && call.name === delta.name && call.arguments === '' && delta.index !== undefined
  }

  /** Pieces numbered although the call was opened without a number. */
  #lastWithoutIndex(): OpenCall | null {
    const last = this.#calls.at(-1)
    return last?.index === undefined ? (last ?? null) : null
  }

  /** A piece with a name, for a place that is taken: a second call, or the name once more? */
  #opensSecond(call: OpenCall, { name = '', arguments: args }: CallDelta): boolean {
    if (name !== call.name) return this.isTool(call.name) || call.arguments !== ''
    return args !== undefined && args !== '' && call.balance.complete
  }

  #open(delta: CallDelta): OpenCall | null {
    if (this.#calls.length >= MAX_CALLS_IN_ANSWER) return null
    const call = {
      id: delta.id ?? '',
      name: delta.name ?? '',
      arguments: '',
      index: delta.index,
      balance: new JsonBalance(),
    }
    this.#calls.push(call)
    return call
  }
}

/** What a piece adds to the arguments so far. Some servers send the whole object, and some send it again and again. */
function newArguments(text: string, piece: CallDelta['arguments']): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  const whole = JSON.stringify(piece)
  return text === whole ? '' : whole
}
