/** What holds whatever happens, in whatever order. */
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type ChatRun, type ConversationState, defineTool, type Message, messageText, type RunEvent } from '../index.js'
import type { TurnContext } from '../provider/provider.js'
import { FakePage } from './page.fixture.js'
import { says, ScriptedProvider } from './scripted-provider.fixture.js'

const STEPS = [
  'send',
  'text',
  'reasoning',
  'tool',
  'input',
  'submit',
  'reject',
  'endTurn',
  'finish',
  'finish with more',
  'fail',
  'end session',
  'stop',
  'abort first run',
  'close',
  'reset',
  'time',
  'yield',
] as const

interface OpenTurn {
  context: TurnContext
  written: string
  resolve: (text: string) => void
  reject: (error: Error) => void
}

class World {
  readonly turns: OpenTurn[] = []
  readonly runs: ChatRun[] = []
  readonly provider = new ScriptedProvider(
    'own',
    ({ context }) =>
      new Promise<string>((resolve, reject) => {
        this.turns.push({ context, written: '', resolve, reject })
        context.signal.addEventListener('abort', () => {
          resolve('')
        })
      }),
  )
  readonly page = new FakePage(this.provider)
  readonly conversation = this.page.conversation({
    timeoutMs: 1_000,
    tools: [
      defineTool({ name: 'now', description: '', execute: () => 'now' }),
      defineTool({ name: 'ask', description: '' }),
      defineTool({ name: 'end', description: '', execute: (_, ctx) => void ctx.endTurn('over') }),
    ],
  })
  readonly faults: string[] = []
  #count = 0

  constructor() {
    let before = this.conversation.getState()
    this.conversation.subscribe(() => {
      const after = this.conversation.getState()
      this.#compare(before, after)
      before = after
    })
  }

  /** Snapshots: made once, and only what changed is new in them. */
  #compare(before: ConversationState, after: ConversationState): void {
    if (this.conversation.getState() !== after) this.faults.push('a snapshot is made twice')
    if (after.messages !== after.messages) this.faults.push('messages are made twice')
    const known = new Map(before.messages.map((message) => [message.id, message]))
    for (const message of after.messages) {
      const old = known.get(message.id)
      if (old && old !== message && JSON.stringify(old) === JSON.stringify(message))
        this.faults.push('a message that did not change is new')
    }
    const changed = after.messages.filter((message) => known.has(message.id) && known.get(message.id) !== message)
    if (changed.length > 1) this.faults.push('more than one message changed')
    if (before.provider && after.provider && before.provider !== after.provider) this.faults.push('the provider is new')
  }

  async step(step: (typeof STEPS)[number], pick: number): Promise<void> {
    // Also turns that are over report: late.
    const turn = this.turns[this.turns.length - 1 - (pick % 3)]
    const call = this.conversation.getState().pendingInputs[0]?.callId ?? 'none'
    const piece = `p${this.#count++} `
    switch (step) {
      case 'send':
        this.runs.push(this.conversation.send(piece))
        break
      case 'text':
        turn?.context.text(piece)
        break
      case 'reasoning':
        turn?.context.reasoning(piece)
        break
      case 'tool':
      case 'input':
      case 'endTurn':
        void turn?.context.runTool({ name: { tool: 'now', input: 'ask', endTurn: 'end' }[step], args: {} })
        break
      case 'submit':
        this.conversation.submitToolResult(call, piece)
        break
      case 'reject':
        this.conversation.rejectToolCall(call)
        break
      case 'finish':
        turn?.resolve('')
        break
      case 'finish with more': {
        const answer = this.conversation.getState().messages.at(-1)
        turn?.resolve((answer?.role === 'assistant' ? messageText(answer) : '') + piece)
        break
      }
      case 'fail':
        turn?.reject(new Error('boom'))
        break
      case 'end session':
        for (const session of this.provider.sessions) session.closed = true
        break
      case 'stop':
        this.conversation.stop()
        break
      case 'abort first run':
        this.runs[pick % (this.runs.length || 1)]?.abort()
        break
      case 'close':
        void this.conversation.close()
        break
      case 'reset':
        this.conversation.reset()
        break
      case 'time':
        this.page.clock.advance(pick * 100)
        break
      case 'yield':
        for (let round = 0; round < pick; round += 1) await Promise.resolve()
        break
    }
  }
}

const steps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat({ max: 20 })), { maxLength: 60 })

const textOf = (events: readonly RunEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

describe('whatever happens', () => {
  it('each run ends exactly once, messages are what was streamed, and snapshots are made well', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const world = new World()
        const finished = new Map<string, Message>()
        const perRun = new Map<string, RunEvent[]>()
        world.conversation.on((event) => {
          perRun.set(event.turnId, [...(perRun.get(event.turnId) ?? []), event])
        })
        for (const [step, pick] of list) await world.step(step, pick)
        await world.conversation.close()
        await world.page.clock.advanceAsync(60_000)
        for (const run of world.runs) {
          const events: RunEvent[] = []
          for await (const event of run) events.push(event)
          const ends = events.filter(({ type }) => type === 'finish' || type === 'error')
          expect(ends).toHaveLength(1)
          expect(ends[0]).toBe(events.at(-1))
          expect(perRun.get(run.turnId)).toEqual(events)
          const called = events.flatMap((event) => (event.type === 'tool-call' ? [event.callId] : []))
          const settled = events.flatMap((event) => (event.type === 'tool-result' ? [event.callId] : []))
          expect(settled.sort()).toEqual(called.sort())
          await run.result().then(
            ({ message, text }) => {
              finished.set(message.id, message)
              expect(text).toBe(textOf(events))
              expect(messageText(message)).toBe(text)
            },
            () => undefined,
          )
        }
        const state = world.conversation.getState()
        for (const message of state.messages) {
          const events = perRun.get(message.metadata?.turnId ?? '') ?? []
          if (message.role === 'assistant') expect(messageText(message)).toBe(textOf(events))
          const known = finished.get(message.id)
          if (known) expect(message).toBe(known)
          for (const part of message.parts)
            if (part.type === 'tool-call') expect(['done', 'error']).toContain(part.state)
        }
        expect(state).toMatchObject({ queued: 0, pendingInputs: [], session: 'none' })
        expect(state.status).not.toBe('running')
        expect(world.faults).toEqual([])
        expect(world.page.open.size).toBe(0)
        expect(world.page.clock.pending).toBe(0)
        expect(world.provider.sessions.every(({ closes }) => closes === 1)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the work for a piece of text', () => {
  const HISTORY = 5_000
  const history = Array.from({ length: HISTORY }, (_, at): Message => ({
    id: `m${at}`,
    role: at % 2 ? 'assistant' : 'user',
    parts: [{ type: 'text', text: `Message ${at}` }],
  }))

  /** How many elements of long lists are gone through while `work` runs. */
  async function copied(work: () => unknown): Promise<number> {
    let count = 0
    const list = Array.prototype
    const spies = (['map', 'slice', 'filter', 'concat', 'some', 'find', 'findIndex', 'forEach'] as const).map(
      (name) => {
        // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own list below
        const original = list[name] as (...args: unknown[]) => unknown
        return vi.spyOn(list, name as 'map').mockImplementation(function (this: unknown[], ...args: unknown[]) {
          if (this.length >= HISTORY) count += this.length
          return original.apply(this, args) as unknown[]
        })
      },
    )
    const iterate = list[Symbol.iterator]
    list[Symbol.iterator] = function (this: unknown[]) {
      if (this.length >= HISTORY) count += this.length
      return iterate.apply(this)
    }
    try {
      await work()
    } finally {
      list[Symbol.iterator] = iterate
      for (const spy of spies) spy.mockRestore()
    }
    return count
  }

  it('is the same after a thousand messages as after one: nothing of the history is copied', async () => {
    const pieces = Array.from({ length: 500 }, () => 'a')
    let read = 0
    const perPiece: number[] = []
    const own = new ScriptedProvider('own', async (turn) => {
      perPiece.push(await copied(() => says(...pieces)(turn)))
      // Whoever reads the list pays for putting it together, once a snapshot.
      const state = conversation.getState()
      read = await copied(() => [state.messages, state.messages, conversation.getState().messages])
      expect(state.messages).toHaveLength(HISTORY + 2)
      expect(history.every((message, at) => state.messages[at] === message)).toBe(true)
    })
    const conversation = new FakePage(own).conversation({ messages: history })
    let states = 0
    conversation.subscribe(() => {
      states += conversation.getState().status === 'running' ? 1 : 0
    })
    expect(await conversation.send('Hi').text()).toBe('a'.repeat(500))
    expect(states).toBeGreaterThan(500)
    expect(perPiece).toEqual([0])
    expect(read).toBe(HISTORY + 1)
  })

  it('leaves snapshots as they were, also when they are read only later', async () => {
    const states: ConversationState[] = []
    const conversation = new FakePage(new ScriptedProvider('own', says('a', 'b', 'c'))).conversation()
    conversation.on(({ type }) => {
      if (type === 'text-delta') states.push(conversation.getState())
    })
    conversation.subscribe(() => states.push(conversation.getState()))
    await conversation.send('Hi').text()
    const texts = states.map(({ messages }) => messages.map(messageText).join(': '))
    expect([...new Set(texts)]).toEqual(['', 'Hi', 'Hi: ', 'Hi: a', 'Hi: ab', 'Hi: abc'])
  })
})
