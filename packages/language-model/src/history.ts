/**
 * A conversation so far, always in an order that every API accepts: after each turn, however it ended, every tool call has
 * its result and the last word is the AI's, so that the next question can follow.
 */
import type { ChatMessage, ToolCall, UserPart } from './chat-message.js'

/** What a call gets as its result when the turn ended before there was one. */
const NO_RESULT = 'Stopped before there was a result.'
/** What the AI is taken to have said when a turn ended without an answer. */
const STOPPED = '[Stopped before the answer was complete.]'

export class History {
  /** Changed in place by `fitContext`. */
  readonly messages: ChatMessage[] = []
  readonly #ids = new Set<string>()

  constructor(systemPrompt?: string) {
    if (systemPrompt !== undefined && systemPrompt !== '') this.messages.push({ role: 'system', text: systemPrompt })
  }

  ask(parts: readonly UserPart[]): void {
    this.messages.push({ role: 'user', parts })
  }

  /** What the AI said in one step, with the calls it made. */
  say(text: string, calls: readonly ToolCall[]): void {
    if (text !== '' || calls.length > 0) this.messages.push({ role: 'assistant', text, calls })
  }

  result(callId: string, text: string): void {
    this.messages.push({ role: 'tool', callId, text })
  }

  /** An id that no call of this conversation has: the model's own where it is new (several servers begin at 0 in each answer). */
  claimId(wanted: string): string {
    let id = wanted
    // Nine letters and digits: the only form that Mistral's API takes.
    while (id === '' || this.#ids.has(id))
      id = `call${String(this.#ids.size + 1).padStart(5, '0')}${id === '' ? '' : 'x'}`.slice(0, 9)
    this.#ids.add(id)
    return id
  }

  /** Ends a turn: fills in what is missing. `partial` is text that was shown but is not in the history yet. */
  settle(partial: string): void {
    for (const callId of this.#openCalls()) this.result(callId, NO_RESULT)
    const last = this.messages.at(-1)
    if (partial !== '') this.say(`${partial}\n${STOPPED}`, [])
    else if (last?.role === 'user' || last?.role === 'tool') this.say(STOPPED, [])
  }

  #openCalls(): string[] {
    const at = this.messages.findLastIndex((message) => message.role === 'assistant')
    const last = this.messages[at]
    if (last?.role !== 'assistant') return []
    const answered = new Set(
      this.messages.slice(at + 1).map((message) => (message.role === 'tool' ? message.callId : '')),
    )
    return last.calls.map((call) => call.id).filter((id) => !answered.has(id))
  }
}
