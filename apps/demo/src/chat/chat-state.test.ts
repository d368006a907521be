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
    expect(answerOf(chatReducer(busy, { type: 'busy_with', text: null })).notice).toBeUndefined()
  })
})

describe('a tool call', () => {
  const began: ChatEvent = { type: 'call_began', id: 'p1', tool: 'find', args: { q: 1 } }
  const ended: ChatEvent = { type: 'call_ended', id: 'p1', result: [1] }

  it('runs, then says what came of it', () => {
    expect(answerOf(run(asked, began))).toMatchObject({ status: 'calling', parts: [{ status: 'running' }] })
    const answer = answerOf(run(asked, began, ended))
    expect(answer.parts).toMatchObject([{ kind: 'call', tool: 'find', args: { q: 1 }, status: 'done', result: [1] }])
    expect(answer.status).toBe('thinking')
  })

  it('says why it failed', () => {
    const answer = answerOf(run(asked, began, { type: 'call_failed', id: 'p1', error: 'No.' }))
    expect(answer.parts).toMatchObject([{ status: 'failed', error: 'No.' }])
  })

  it('is not the only one', () => {
    const second: ChatEvent = { type: 'call_began', id: 'p2', tool: 'find', args: {} }
    const answer = answerOf(run(asked, began, second, ended))
    expect(answer.parts).toMatchObject([
      { id: 'p1', status: 'done' },
      { id: 'p2', status: 'running' },
    ])
    expect(answer.status).toBe('calling')
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

  it('holds together whatever happens in whatever sequence', () => {
    const id = fc.constantFrom('1', '2')
    const event: fc.Arbitrary<ChatEvent> = fc.oneof(
      fc.constant(asked),
      fc.constant<ChatEvent>({ type: 'ai_started' }),
      fc.record({ type: fc.constant('text' as const), text: fc.string() }),
      fc.record({ type: fc.constant('call_began' as const), id, tool: id, args: fc.jsonValue() }),
      fc.record({ type: fc.constant('call_ended' as const), id, result: fc.jsonValue() }),
      fc.record({ type: fc.constant('call_failed' as const), id, error: fc.string() }),
      fc.record({
        type: fc.constant('ended' as const),
        how: fc.constantFrom('done' as const, 'stopped' as const, 'failed' as const),
      }),
      fc.constant<ChatEvent>({ type: 'busy_with', text: null }),
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
