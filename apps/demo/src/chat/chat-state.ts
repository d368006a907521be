/**
 * The conversation as the page shows it. Pure: what happened in, the next state out. Sessions, streams and drawing are
 * others' business.
 */

export interface CallCard {
  readonly kind: 'call'
  readonly id: string
  readonly tool: string
  readonly args: unknown
  readonly status: 'running' | 'done' | 'failed'
  readonly result?: unknown
  readonly error?: string
}

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
}

export type AnswerPart = TextPart | CallCard

/**
 * `starting`: the AI is being started. `thinking`: nothing has come yet. `writing`: text comes. `calling`: a tool runs.
 * The rest are ends.
 */
export type AnswerStatus = 'starting' | 'thinking' | 'writing' | 'calling' | 'done' | 'stopped' | 'failed'

export interface Answer {
  readonly kind: 'answer'
  readonly id: number
  readonly parts: readonly AnswerPart[]
  readonly status: AnswerStatus
  /** What else there is to say about how it ended, or what the AI is busy with. */
  readonly notice?: string
}

export type ChatItem = { readonly kind: 'question'; readonly id: number; readonly text: string } | Answer

export interface ChatState {
  readonly items: readonly ChatItem[]
  /** The next item's id. */
  readonly nextId: number
}

export type ChatEvent =
  | { type: 'asked'; text: string }
  | { type: 'ai_started' }
  | { type: 'text'; text: string }
  /** `null`: nothing any more. */
  | { type: 'busy_with'; text: string | null }
  | { type: 'call_began'; id: string; tool: string; args: unknown }
  | { type: 'call_ended'; id: string; result: unknown }
  | { type: 'call_failed'; id: string; error: string }
  | { type: 'ended'; how: 'done' | 'stopped' | 'failed'; notice?: string }

export const EMPTY_CHAT: ChatState = { items: [], nextId: 1 }

const ENDS: readonly AnswerStatus[] = ['done', 'stopped', 'failed']
export const isOpen = (answer: Answer): boolean => !ENDS.includes(answer.status)

/** The answer that is being made, or `null`. */
export function openAnswer(state: ChatState): Answer | null {
  const last = state.items.at(-1)
  return last?.kind === 'answer' && isOpen(last) ? last : null
}

/** The visitor's last question, to ask it again. */
export function lastQuestion(state: ChatState): string | null {
  const question = state.items.findLast((item) => item.kind === 'question')
  return question?.kind === 'question' ? question.text : null
}

export function chatReducer(state: ChatState, event: ChatEvent): ChatState {
  if (event.type === 'asked') return ask(state, event.text)
  return changeAnswer(state, (answer) => answerReducer(answer, event))
}

function ask({ items, nextId }: ChatState, text: string): ChatState {
  const question = { kind: 'question', id: nextId, text } as const
  const answer: Answer = { kind: 'answer', id: nextId + 1, parts: [], status: 'starting' }
  return { items: [...items, question, answer], nextId: nextId + 2 }
}

/** What comes after the end of an answer belongs to nothing any more. */
function changeAnswer(state: ChatState, change: (answer: Answer) => Answer): ChatState {
  const answer = openAnswer(state)
  return answer === null ? state : { ...state, items: [...state.items.slice(0, -1), change(answer)] }
}

function answerReducer(answer: Answer, event: Exclude<ChatEvent, { type: 'asked' }>): Answer {
  switch (event.type) {
    case 'ai_started':
      return answer.status === 'starting' ? { ...answer, status: 'thinking' } : answer
    case 'text':
      return { ...withoutNotice(answer), status: 'writing', parts: appendText(answer.parts, event.text) }
    case 'busy_with':
      return event.text === null ? withoutNotice(answer) : { ...answer, notice: event.text }
    case 'call_began':
      return { ...withoutNotice(answer), status: 'calling', parts: [...answer.parts, cardOf(event)] }
    case 'call_ended':
      return afterCall(changeCall(answer, event.id, { status: 'done', result: event.result }))
    case 'call_failed':
      return afterCall(changeCall(answer, event.id, { status: 'failed', error: event.error }))
    case 'ended':
      return end(answer, event)
  }
}

function withoutNotice({ notice: _, ...answer }: Answer): Answer {
  return answer
}

function appendText(parts: readonly AnswerPart[], text: string): AnswerPart[] {
  const last = parts.at(-1)
  if (last?.kind === 'text') return [...parts.slice(0, -1), { kind: 'text', text: last.text + text }]
  return [...parts, { kind: 'text', text: text.trimStart() }]
}

function cardOf({ id, tool, args }: { id: string; tool: string; args: unknown }): CallCard {
  return { kind: 'call', status: 'running', id, tool, args }
}

function changeCall(answer: Answer, id: string, change: Partial<CallCard>): Answer {
  const parts = answer.parts.map((part) => (part.kind === 'call' && part.id === id ? { ...part, ...change } : part))
  return { ...answer, parts }
}

function afterCall(answer: Answer): Answer {
  const isCalling = answer.parts.some((part) => part.kind === 'call' && part.status === 'running')
  const last = answer.parts.at(-1)
  return { ...answer, status: isCalling ? 'calling' : last?.kind === 'text' ? answer.status : 'thinking' }
}

function end(answer: Answer, { how, notice }: { how: 'done' | 'stopped' | 'failed'; notice?: string }): Answer {
  const parts = answer.parts.map((part) =>
    part.kind === 'call' && part.status === 'running' ? { ...part, status: 'failed' as const } : part,
  )
  return { ...withoutNotice(answer), parts, status: how, ...(notice === undefined ? {} : { notice }) }
}
