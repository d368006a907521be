import { describe, expect, it } from 'vitest'
import type { BridgeEvent, PageTool } from '@leuria/client'
import { settle } from '@leuria/testing'
import type { AiSession, AiSessionStart, AiSource } from './ai-session.js'
import type { Answer, ChatItem } from './chat-state.js'
import { createConversation, type Conversation, type SessionEnd } from './conversation.js'
import { endingWords } from './ending-words.js'

/** A session that a test plays by hand. */
class PlayedSession implements AiSession {
  status: AiSession['status'] = 'running'
  readonly prompts: string[] = []
  cancels = 0
  closes = 0
  constructor(readonly start: AiSessionStart) {}
  say(...events: BridgeEvent[]): void {
    for (const event of events) {
      if (event.event === 'turn_completed') this.status = 'idle'
      if (['completed', 'cancelled', 'failed'].includes(event.event)) this.status = 'ended'
      this.start.onEvent(event)
    }
  }
  async prompt(text: string): Promise<void> {
    this.prompts.push(text)
    this.status = 'running'
  }
  async cancelTurn(): Promise<void> {
    this.cancels += 1
  }
  async close(): Promise<void> {
    this.closes += 1
    this.status = 'ended'
  }
}

interface Scene {
  talk: Conversation
  sessions: PlayedSession[]
  ends: SessionEnd[]
  /** What the next start does instead of succeeding. */
  fail: { next: Error | 'never' | null }
  latest: () => PlayedSession
}

const echo: PageTool = { name: 'echo', execute: (args) => args }

function scene(options: { settleLimitMs?: number } = {}): Scene {
  const sessions: PlayedSession[] = []
  const ends: SessionEnd[] = []
  const fail: Scene['fail'] = { next: null }
  const source: AiSource = {
    async startSession(start) {
      const failure = fail.next
      fail.next = null
      if (failure instanceof Error) throw failure
      if (failure === 'never') {
        await new Promise((_, reject) => {
          start.signal.addEventListener('abort', () => {
            reject(new Error('aborted'))
          })
        })
      }
      const session = new PlayedSession(start)
      sessions.push(session)
      return session
    },
  }
  const talk = createConversation({
    ...{ source, tools: [echo], systemPrompt: 'Be brief.' },
    whyEnded: async (how) => {
      ends.push(how)
      return `ended: ${how}`
    },
    ...options,
  })
  const latest = (): PlayedSession => {
    const session = sessions.at(-1)
    if (session === undefined) throw new Error('no session')
    return session
  }
  return { talk, sessions, ends, fail, latest }
}

const chunk = (data: string): BridgeEvent => ({ event: 'chunk', data })
const turnEnd = (stopReason?: 'end_turn' | 'cancelled'): BridgeEvent => ({
  event: 'turn_completed',
  data: { text: '', durationMs: 1, stopReason },
})

const last = (talk: Conversation): ChatItem | undefined => talk.chat.get().items.at(-1)
function answer(talk: Conversation): Answer {
  const item = last(talk)
  if (item?.kind !== 'answer') throw new Error('the last item is no answer')
  return item
}

describe('a conversation', () => {
  it('starts a session with the first question and asks on in it', async () => {
    const { talk, sessions, latest } = scene()
    talk.ask('  One?  ')
    await settle()
    expect(latest().start).toMatchObject({ prompt: 'One?', systemPrompt: 'Be brief.' })
    latest().say({ event: 'turn_start', data: null }, chunk('Yes.'), turnEnd('end_turn'))
    expect(answer(talk)).toMatchObject({ status: 'done', parts: [{ text: 'Yes.' }] })
    talk.ask('Two?')
    await settle()
    expect(sessions).toHaveLength(1)
    expect(latest().prompts).toEqual(['Two?'])
  })

  it('asks nothing without words or while an answer is being made', async () => {
    const { talk, sessions } = scene()
    talk.ask('   ')
    expect(talk.chat.get().items).toEqual([])
    talk.ask('One?')
    talk.ask('Two?')
    await settle()
    expect(talk.chat.get().items).toHaveLength(2)
    expect(sessions).toHaveLength(1)
  })

  it('shows the page’s own tools being called', async () => {
    const { talk, latest } = scene()
    talk.ask('One?')
    await settle()
    const [tool] = latest().start.tools
    await tool?.execute({ a: 1 }, { callId: 'c', signal: new AbortController().signal })
    expect(answer(talk).parts).toMatchObject([{ kind: 'call', tool: 'echo', args: { a: 1 }, status: 'done' }])
  })

  it('tries the last question again after a failure, in a new session', async () => {
    const { talk, sessions, latest, ends } = scene()
    talk.ask('One?')
    await settle()
    latest().say({ event: 'failed', data: 'secret details' })
    await settle()
    expect(answer(talk)).toMatchObject({ status: 'failed', notice: 'ended: failed' })
    expect(ends).toEqual(['failed'])
    talk.tryAgain()
    await settle()
    expect(sessions).toHaveLength(2)
    expect(talk.chat.get().items.map((item) => item.kind)).toEqual(['question', 'answer', 'note', 'question', 'answer'])
  })

  it('says in words when the AI cannot be started', async () => {
    const { talk, fail, ends } = scene()
    fail.next = new Error('boom')
    talk.ask('One?')
    await settle()
    expect(answer(talk)).toMatchObject({ status: 'failed', notice: 'ended: not_started' })
    expect(ends).toEqual(['not_started'])
  })

  it('begins a new session, and says so, after the old one was closed between two questions', async () => {
    const { talk, sessions, latest } = scene()
    talk.ask('One?')
    await settle()
    latest().say(turnEnd('end_turn'), { event: 'cancelled', data: null })
    await settle()
    talk.ask('Two?')
    await settle()
    expect(sessions).toHaveLength(2)
    expect(talk.chat.get().items.filter((item) => item.kind === 'note')).toHaveLength(1)
  })

  it('closes the session when it is ended from outside', async () => {
    const { talk, latest } = scene()
    talk.ask('One?')
    await settle()
    talk.end('You disconnected this shop.')
    expect(latest().closes).toBe(1)
    expect(answer(talk)).toMatchObject({ status: 'stopped', notice: 'You disconnected this shop.' })
    latest().say(chunk('late'))
    expect(answer(talk).parts).toEqual([])
  })
})

describe('stopping an answer', () => {
  it('drops what still comes of it, and asks on once it has settled', async () => {
    const { talk, latest } = scene()
    talk.ask('One?')
    await settle()
    latest().say(chunk('Half'))
    talk.stop()
    expect(latest().cancels).toBe(1)
    talk.ask('Two?')
    latest().say(chunk(' late'))
    await settle()
    expect(latest().prompts).toEqual([])
    expect(answer(talk)).toMatchObject({ status: 'starting', parts: [] })
    latest().say(turnEnd('cancelled'))
    await settle()
    expect(latest().prompts).toEqual(['Two?'])
    latest().say(chunk('New'), turnEnd('end_turn'))
    expect(answer(talk)).toMatchObject({ status: 'done', parts: [{ text: 'New' }] })
  })

  it('begins a new session when the old one never settles', async () => {
    const { talk, sessions } = scene({ settleLimitMs: 5 })
    talk.ask('One?')
    await settle()
    talk.stop()
    talk.ask('Two?')
    await expect.poll(() => sessions.length).toBe(2)
    expect(sessions[0]?.closes).toBe(1)
    expect(sessions[1]?.start.prompt).toBe('Two?')
  })

  it('calls the start off while the AI is being started', async () => {
    const { talk, sessions, fail } = scene()
    fail.next = 'never'
    talk.ask('One?')
    await settle()
    talk.stop()
    await settle()
    expect(answer(talk).status).toBe('stopped')
    talk.ask('Two?')
    await settle()
    expect(sessions).toHaveLength(1)
    expect(answer(talk).status).toBe('starting')
  })

  it('does nothing when nothing is being answered', () => {
    const { talk } = scene()
    talk.stop()
    expect(talk.chat.get().items).toEqual([])
  })
})

describe('why a conversation ended', () => {
  const failed = (status?: number): Error => Object.assign(new Error('x'), { status })
  const connected = { isWithdrawn: false, state: { status: 'connected' } } as const

  it.each([
    [
      'withdrawn',
      { how: 'closed', facts: { isWithdrawn: true, state: { status: 'not-connected' } } },
      /You disconnected/,
    ],
    [
      'stopped engine',
      { how: 'failed', facts: { isWithdrawn: false, state: { status: 'not-running' } } },
      /stopped running/,
    ],
    ['another AI', { how: 'closed', facts: connected }, /chose another AI/],
    ['a crash', { how: 'failed', facts: connected }, /stopped because of an error/],
    ['no start', { how: 'not_started', facts: connected, error: failed() }, /could not be started\.$/],
    ['too many tabs', { how: 'not_started', facts: connected, error: failed(400) }, /too many tabs/],
  ] as const)('says it for %s', (_, facts, words) => {
    expect(endingWords(facts)).toMatch(words)
  })
})
