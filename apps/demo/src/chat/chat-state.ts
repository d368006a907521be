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
  /** The page itself has run it; reports of the AI alone know no arguments. */
  readonly isOurs: boolean
  /** The AI's own id for the call, once both sides of it are known. */
  readonly reportId?: string
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

export type ChatItem = { readonly kind: 'question'; readonly id: number; readonly text: string } | Answer | Note
export interface Note {
  readonly kind: 'note'
  readonly id: number
  readonly text: string
}

export interface ChatState {
  readonly items: readonly ChatItem[]
  /** The next item's id. */
  readonly nextId: number
  /** The connection to the engine dropped and is being made again. */
  readonly isReconnecting: boolean
}

export type ChatEvent =
  | { type: 'asked'; text: string }
  | { type: 'ai_started' }
  | { type: 'text'; text: string }
  | { type: 'busy_with'; text: string }
  | { type: 'call_began'; id: string; tool: string; args: unknown }
  | { type: 'call_ended'; id: string; result: unknown }
  | { type: 'call_failed'; id: string; error: string }
  /** The AI's own report of a call: it may never have reached the page. */
  | { type: 'call_reported'; id: string; tool: string; status: 'running' | 'done' | 'failed' }
  | { type: 'ended'; how: 'done' | 'stopped' | 'failed'; notice?: string }
  | { type: 'note'; text: string }
  | { type: 'reconnecting' }
  | { type: 'reconnected' }

export const EMPTY_CHAT: ChatState = { items: [], nextId: 1, isReconnecting: false }

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
  switch (event.type) {
    case 'asked':
      return ask(state, event.text)
    case 'note':
      return add(state, { kind: 'note', id: state.nextId, text: event.text })
    case 'reconnecting':
    case 'reconnected':
      return { ...state, isReconnecting: event.type === 'reconnecting' }
    default:
      return changeAnswer(state, (answer) => answerReducer(answer, event), event.type === 'ended')
  }
}

function add(state: ChatState, ...items: ChatItem[]): ChatState {
  return { ...state, items: [...state.items, ...items], nextId: state.nextId + items.length }
}

function ask(state: ChatState, text: string): ChatState {
  const question = { kind: 'question', id: state.nextId, text } as const
  const answer: Answer = { kind: 'answer', id: state.nextId + 1, parts: [], status: 'starting' }
  return add(state, question, answer)
}

/** What comes after the end of an answer belongs to nothing any more. */
function changeAnswer(state: ChatState, change: (answer: Answer) => Answer, isEnd: boolean): ChatState {
  const answer = openAnswer(state)
  if (answer === null) return state
  const next = { ...state, items: [...state.items.slice(0, -1), change(answer)] }
  return isEnd ? { ...next, isReconnecting: false } : next
}

type AnswerEvent = Exclude<ChatEvent, { type: 'asked' | 'note' | 'reconnecting' | 'reconnected' }>

function answerReducer(answer: Answer, event: AnswerEvent): Answer {
  switch (event.type) {
    case 'ai_started':
      return answer.status === 'starting' ? { ...answer, status: 'thinking' } : answer
    case 'text':
      return { ...withoutNotice(answer), status: 'writing', parts: appendText(answer.parts, event.text) }
    case 'busy_with':
      return { ...answer, notice: event.text }
    case 'call_began':
      return { ...withoutNotice(answer), status: 'calling', parts: beginCall(answer.parts, event) }
    case 'call_ended':
      return afterCall(changeCall(answer, event.id, { status: 'done', result: event.result }))
    case 'call_failed':
      return afterCall(changeCall(answer, event.id, { status: 'failed', error: event.error }))
    case 'call_reported':
      return reportCall(answer, event)
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

/** The AI's report and the page's own call come over two connections, in either sequence: they make one card. */
function beginCall(parts: readonly AnswerPart[], call: { id: string; tool: string; args: unknown }): AnswerPart[] {
  const card: CallCard = { kind: 'call', status: 'running', isOurs: true, ...pick(call) }
  const reported = parts.findIndex((part) => part.kind === 'call' && part.tool === call.tool && !part.isOurs)
  const known = parts[reported]
  return known?.kind === 'call' ? parts.with(reported, { ...card, reportId: known.id }) : [...parts, card]
}

const pick = ({ id, tool, args }: { id: string; tool: string; args: unknown }) => ({ id, tool, args })

function changeCall(answer: Answer, id: string, change: Partial<CallCard>): Answer {
  const parts = answer.parts.map((part) => (part.kind === 'call' && part.id === id ? { ...part, ...change } : part))
  return { ...answer, parts }
}

function afterCall(answer: Answer): Answer {
  const isCalling = answer.parts.some((part) => part.kind === 'call' && part.status === 'running')
  const last = answer.parts.at(-1)
  return { ...answer, status: isCalling ? 'calling' : last?.kind === 'text' ? answer.status : 'thinking' }
}

function reportCall(answer: Answer, { id, tool, status }: Extract<AnswerEvent, { type: 'call_reported' }>): Answer {
  const cards = answer.parts.filter((part) => part.kind === 'call')
  const known =
    cards.find((card) => card.id === id || card.reportId === id) ??
    cards.find((card) => card.isOurs && card.tool === tool && card.reportId === undefined)
  if (known === undefined) {
    const card: CallCard = { kind: 'call', id, tool, args: undefined, status, isOurs: false }
    return afterCall({ ...withoutNotice(answer), parts: [...answer.parts, card] })
  }
  // What the page knows of its own call stands, unless the AI has given it up.
  const isNews = !known.isOurs || (known.status === 'running' && status === 'failed')
  return afterCall(changeCall(answer, known.id, isNews ? { status } : { reportId: id }))
}

function end(answer: Answer, { how, notice }: { how: 'done' | 'stopped' | 'failed'; notice?: string }): Answer {
  const parts = answer.parts.map((part) =>
    part.kind === 'call' && part.status === 'running' ? { ...part, status: 'failed' as const } : part,
  )
  return { ...withoutNotice(answer), parts, status: how, ...(notice === undefined ? {} : { notice }) }
}
