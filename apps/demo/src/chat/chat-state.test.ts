import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chatReducer,
  EMPTY_CHAT,
  isOpen,
  lastQuestion,
  openAnswer,
  type Answer,
  type ChatEvent,
  type ChatState,
} from './chat-state.js'

const run = (...events: ChatEvent[]): ChatState => events.reduce(chatReducer, EMPTY_CHAT)

function answerOf(state: ChatState): Answer {
  const answer = state.items.findLast((item) => item.kind === 'answer')
  if (answer?.kind !== 'answer') throw new Error('no answer')
  return answer
}

const asked: ChatEvent = { type: 'asked', text: 'Hello?' }

describe('an answer', () => {
  it('goes from starting over thinking and writing to its end', () => {
    const states: ChatEvent[] = [
      asked,
      { type: 'ai_started' },
      { type: 'text', text: 'A ' },
      { type: 'text', text: 'mug.' },
      { type: 'ended', how: 'done' },
    ]
    const seen = states.map((_, index) => answerOf(run(...states.slice(0, index + 1))).status)
    expect(seen).toEqual(['starting', 'thinking', 'writing', 'writing', 'done'])
    expect(answerOf(run(...states)).parts).toEqual([{ kind: 'text', text: 'A mug.' }])
  })

  it('takes no more after its end', () => {
    const state = run(asked, { type: 'ended', how: 'stopped' })
    expect(chatReducer(state, { type: 'text', text: 'late' })).toBe(state)
    expect(openAnswer(state)).toBeNull()
  })

  it('keeps what was written when it is stopped or fails, and says why', () => {
    const state = run(asked, { type: 'text', text: 'Half' }, { type: 'ended', how: 'failed', notice: 'It broke.' })
    expect(answerOf(state)).toMatchObject({ status: 'failed', notice: 'It broke.', parts: [{ text: 'Half' }] })
  })

  it('ends the calls that it leaves behind', () => {
    const state = run(asked, { type: 'call_began', id: '1', tool: 't', args: {} }, { type: 'ended', how: 'stopped' })
    expect(answerOf(state).parts).toMatchObject([{ status: 'failed' }])
  })

  it('shows what the AI is busy with until something comes', () => {
    const busy = run(asked, { type: 'busy_with', text: 'Loading the model' })
    expect(answerOf(busy).notice).toBe('Loading the model')
    expect(answerOf(chatReducer(busy, { type: 'text', text: 'x' })).notice).toBeUndefined()
  })
})

describe('a tool call', () => {
  const began: ChatEvent = { type: 'call_began', id: 'p1', tool: 'find', args: { q: 1 } }
  const ended: ChatEvent = { type: 'call_ended', id: 'p1', result: [1] }
  const reported = (status: 'running' | 'done' | 'failed', id = 'a1'): ChatEvent => ({
    type: 'call_reported',
    id,
    tool: 'find',
    status,
  })

  it.each([
    ['the AI reports first', [reported('running'), began, ended, reported('done')]],
    ['the page is called first', [began, reported('running'), ended, reported('done')]],
    ['the reports come late', [began, ended, reported('running'), reported('done')]],
  ])('makes one card when %s', (_, events) => {
    const answer = answerOf(run(asked, ...events))
    expect(answer.parts).toHaveLength(1)
    expect(answer.parts[0]).toMatchObject({ kind: 'call', tool: 'find', args: { q: 1 }, status: 'done', result: [1] })
    expect(answer.status).toBe('thinking')
  })

  it('makes two cards of two calls', () => {
    const second: ChatEvent = { type: 'call_began', id: 'p2', tool: 'find', args: {} }
    const events = [
      reported('running'),
      began,
      ended,
      reported('done'),
      reported('running', 'a2'),
      second,
      reported('done', 'a2'),
    ]
    const answer = answerOf(run(asked, ...events))
    expect(answer.parts).toMatchObject([
      { id: 'p1', status: 'done' },
      { id: 'p2', status: 'running' },
    ])
    expect(answer.status).toBe('calling')
  })

  it('shows a call that never reached the page', () => {
    const answer = answerOf(run(asked, reported('running'), reported('failed')))
    expect(answer.parts).toMatchObject([{ id: 'a1', status: 'failed', isOurs: false }])
  })

  it('is given up when the AI says so', () => {
    expect(answerOf(run(asked, began, reported('running'), reported('failed'))).parts).toMatchObject([
      { status: 'failed' },
    ])
  })

  it('stands between the texts around it', () => {
    const answer = answerOf(
      run(asked, { type: 'text', text: 'Let me see.' }, began, ended, { type: 'text', text: ' Found.' }),
    )
    expect(answer.parts.map((part) => part.kind)).toEqual(['text', 'call', 'text'])
    expect(answer.parts[2]).toEqual({ kind: 'text', text: 'Found.' })
  })
})

describe('the conversation', () => {
  it('remembers the last question', () => {
    expect(lastQuestion(EMPTY_CHAT)).toBeNull()
    expect(lastQuestion(run(asked, { type: 'ended', how: 'failed' }))).toBe('Hello?')
  })

  it('says that it is reconnecting until it is not, or the answer is over', () => {
    const lost = run(asked, { type: 'reconnecting' })
    expect(lost.isReconnecting).toBe(true)
    expect(chatReducer(lost, { type: 'reconnected' }).isReconnecting).toBe(false)
    expect(chatReducer(lost, { type: 'ended', how: 'failed' }).isReconnecting).toBe(false)
  })

  it('holds together whatever happens in whatever sequence', () => {
    const id = fc.constantFrom('1', '2')
    const status = fc.constantFrom('running' as const, 'done' as const, 'failed' as const)
    const event: fc.Arbitrary<ChatEvent> = fc.oneof(
      fc.constant(asked),
      fc.constant<ChatEvent>({ type: 'ai_started' }),
      fc.record({ type: fc.constant('text' as const), text: fc.string() }),
      fc.record({ type: fc.constant('call_began' as const), id, tool: id, args: fc.jsonValue() }),
      fc.record({ type: fc.constant('call_ended' as const), id, result: fc.jsonValue() }),
      fc.record({ type: fc.constant('call_reported' as const), id, tool: id, status }),
      fc.record({
        type: fc.constant('ended' as const),
        how: fc.constantFrom('done' as const, 'stopped' as const, 'failed' as const),
      }),
      fc.constant<ChatEvent>({ type: 'note', text: 'n' }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const { items } = events.reduce(chatReducer, EMPTY_CHAT)
        expect(new Set(items.map((item) => item.id)).size).toBe(items.length)
        for (const item of items) {
          if (item.kind !== 'answer' || isOpen(item)) continue
          expect(item.parts.some((part) => part.kind === 'call' && part.status === 'running')).toBe(false)
        }
      }),
    )
  })
})
