import { describe, expect, it } from 'vitest'
import { defineTool, LeuriaError } from '@leuria/client'
import { settle } from '@leuria/testing'
import type { Answer, ChatItem } from './chat-state.js'
import { createConversation, type Conversation } from './conversation.js'
import { endingWords } from './ending-words.js'
import { playedTalk, type PlayedAi, type PlayedTurn } from './run.fixture.js'

interface Scene {
  talk: Conversation
  ai: PlayedAi
  latest: () => PlayedTurn
}

const echo = defineTool({ name: 'echo', description: 'Says it again.', execute: (args) => args })

function scene(): Scene {
  const { ai, talk } = playedTalk({ tools: [echo], system: 'Be brief.' })
  const conversation = createConversation({ talk, whyFailed: async ({ code }) => `failed: ${code ?? ''}` })
  const latest = (): PlayedTurn => {
    const turn = ai.turns.at(-1)
    if (turn === undefined) throw new Error('no turn')
    return turn
  }
  return { talk: conversation, ai, latest }
}

const last = (talk: Conversation): ChatItem | undefined => talk.chat.get().items.at(-1)
function answer(talk: Conversation): Answer {
  const item = last(talk)
  if (item?.kind !== 'answer') throw new Error('the last item is no answer')
  return item
}

describe('a conversation', () => {
  it('asks on in one session', async () => {
    const { talk, ai, latest } = scene()
    talk.ask('  One?  ')
    await settle()
    expect(latest().text).toBe('One?')
    latest().context.text('Yes.')
    latest().end()
    await settle()
    expect(answer(talk)).toMatchObject({ status: 'done', parts: [{ text: 'Yes.' }] })
    talk.ask('Two?')
    await settle()
    expect(ai.sessions).toBe(1)
    expect(latest().text).toBe('Two?')
  })

  it('asks nothing without words or while an answer is being made', async () => {
    const { talk, ai } = scene()
    talk.ask('   ')
    expect(talk.chat.get().items).toEqual([])
    talk.ask('One?')
    talk.ask('Two?')
    await settle()
    expect(talk.chat.get().items).toHaveLength(2)
    expect(ai.turns).toHaveLength(1)
  })

  it('shows the page’s own tools being called, and what the AI is busy with', async () => {
    const { talk, latest } = scene()
    talk.ask('One?')
    await settle()
    latest().context.status('Loading the model')
    expect(answer(talk).notice).toBe('Loading the model')
    await latest().context.runTool({ name: 'echo', args: { a: 1 }, callId: 'c' })
    expect(answer(talk).parts).toMatchObject([{ kind: 'call', tool: 'echo', args: { a: 1 }, status: 'done' }])
    expect(answer(talk).notice).toBeUndefined()
  })

  it('tries the last question again after a failure', async () => {
    const { talk, ai, latest } = scene()
    talk.ask('One?')
    await settle()
    latest().fail(new Error('secret details'))
    await settle()
    expect(answer(talk)).toMatchObject({ status: 'failed', notice: 'failed: ai_failed' })
    talk.tryAgain()
    await settle()
    expect(ai.turns.map(({ text }) => text)).toEqual(['One?', 'One?'])
    expect(talk.chat.get().items.map((item) => item.kind)).toEqual(['question', 'answer', 'question', 'answer'])
  })

  it('has nothing to try again before the first question', () => {
    const { talk, ai } = scene()
    talk.tryAgain()
    expect(ai.turns).toEqual([])
  })

  it('ends with words when the visitor disconnects', async () => {
    const { talk, latest } = scene()
    talk.ask('One?')
    await settle()
    talk.end('You disconnected this shop.')
    expect(answer(talk)).toMatchObject({ status: 'stopped', notice: 'You disconnected this shop.' })
    latest().context.text('late')
    expect(answer(talk).parts).toEqual([])
    talk.ask('Two?')
    await settle()
    expect(answer(talk).status).toBe('thinking')
  })
})

describe('stopping an answer', () => {
  it('keeps what was said, drops what still comes of it, and asks on', async () => {
    const { talk, latest } = scene()
    talk.ask('One?')
    await settle()
    const first = latest()
    first.context.text('Half')
    talk.stop()
    expect(answer(talk)).toMatchObject({ status: 'stopped', parts: [{ text: 'Half' }] })
    talk.ask('Two?')
    first.context.text(' late')
    await settle()
    latest().context.text('New')
    latest().end()
    await settle()
    expect(answer(talk)).toMatchObject({ status: 'done', parts: [{ text: 'New' }] })
  })

  it('does nothing when nothing is being answered', () => {
    const { talk } = scene()
    talk.stop()
    expect(talk.chat.get().items).toEqual([])
  })
})

describe('why an answer failed', () => {
  const failed = (code: string, status?: number): LeuriaError => new LeuriaError('In plain words.', { code, status })
  const connected = { isWithdrawn: false, state: { status: 'connected', error: null } } as const
  const gone = { isWithdrawn: true, state: { status: 'not-connected', error: null } } as const
  const stopped = { isWithdrawn: false, state: { status: 'not-running', error: null } } as const

  it.each([
    ['withdrawn', { error: failed('not_paired'), facts: gone }, /You disconnected/],
    ['stopped engine', { error: failed('lost_connection'), facts: stopped }, /stopped running/],
    ['another AI', { error: failed('ended'), facts: connected }, /chose another AI/],
    ['a crash', { error: failed('session_failed'), facts: connected }, /stopped because of an error/],
    ['too many tabs', { error: failed('bad_request', 400), facts: connected }, /too many tabs/],
    ['anything else', { error: failed('timeout'), facts: connected }, /^In plain words\.$/],
  ])('says it for %s', (_, facts, words) => {
    expect(endingWords(facts)).toMatch(words)
  })
})
