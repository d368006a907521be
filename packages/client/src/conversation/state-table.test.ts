/** Every state of a conversation × everything that can happen to it, driven through the public door. */
import { settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import type { Conversation, ConversationStatus, SessionStatus } from '../index.js'
import { FakePage } from './page.fixture.js'
import { ScriptedProvider } from './scripted-provider.fixture.js'

type State = `${SessionStatus} ${ConversationStatus}`
type Step =
  // the page's
  | 'send'
  | 'stop'
  | 'reset'
  | 'close'
  | 'warm'
  // the provider's
  | 'opens'
  | 'refuses'
  | 'answers'
  | 'fails'
  // time
  | 'timeout'

/** `none running`: a file of the message is still being read. */
const TABLE: Readonly<Record<State, Readonly<Record<Step, State>>>> = {
  'none idle': {
    send: 'ready running',
    stop: 'none idle',
    reset: 'none idle',
    close: 'none idle',
    warm: 'ready idle',
    opens: 'none idle',
    refuses: 'none idle',
    answers: 'none idle',
    fails: 'none idle',
    timeout: 'none idle',
  },
  'none running': {
    send: 'none running',
    stop: 'none idle',
    reset: 'none idle',
    close: 'none idle',
    warm: 'none running',
    opens: 'none running',
    refuses: 'none running',
    answers: 'none running',
    fails: 'none running',
    timeout: 'none error',
  },
  'none error': {
    send: 'ready running',
    stop: 'none error',
    reset: 'none idle',
    close: 'none error',
    warm: 'ready error',
    opens: 'none error',
    refuses: 'none error',
    answers: 'none error',
    fails: 'none error',
    timeout: 'none error',
  },
  'starting idle': {
    send: 'starting running',
    stop: 'starting idle',
    reset: 'none idle',
    close: 'none idle',
    warm: 'starting idle',
    opens: 'ready idle',
    refuses: 'none idle',
    answers: 'starting idle',
    fails: 'starting idle',
    timeout: 'starting idle',
  },
  'starting running': {
    send: 'starting running',
    stop: 'none idle',
    reset: 'none idle',
    close: 'none idle',
    warm: 'starting running',
    opens: 'ready running',
    refuses: 'none error',
    answers: 'starting running',
    fails: 'starting running',
    timeout: 'none error',
  },
  'starting error': {
    send: 'starting running',
    stop: 'starting error',
    reset: 'none idle',
    close: 'none error',
    warm: 'starting error',
    opens: 'ready error',
    refuses: 'none error',
    answers: 'starting error',
    fails: 'starting error',
    timeout: 'starting error',
  },
  'ready idle': {
    send: 'ready running',
    stop: 'ready idle',
    reset: 'none idle',
    close: 'none idle',
    warm: 'ready idle',
    opens: 'ready idle',
    refuses: 'ready idle',
    answers: 'ready idle',
    fails: 'ready idle',
    timeout: 'ready idle',
  },
  'ready running': {
    send: 'ready running',
    stop: 'ready idle',
    reset: 'none idle',
    close: 'none idle',
    warm: 'ready running',
    opens: 'ready running',
    refuses: 'ready running',
    answers: 'ready idle',
    fails: 'none error',
    timeout: 'ready error',
  },
  'ready error': {
    send: 'ready running',
    stop: 'ready error',
    reset: 'none idle',
    close: 'none error',
    warm: 'ready error',
    opens: 'ready error',
    refuses: 'ready error',
    answers: 'ready error',
    fails: 'ready error',
    timeout: 'ready error',
  },
}

const TIMEOUT_MS = 1_000

/** A conversation whose provider opens and answers when it is told to. */
class Stage {
  readonly provider = new ScriptedProvider('own', async ({ context }) => {
    await new Promise<void>((resolve, reject) => {
      this.answers = resolve
      this.fails = reject
      context.signal.addEventListener('abort', () => {
        resolve()
      })
    })
  })
  readonly page = new FakePage(this.provider)
  readonly conversation: Conversation = this.page.conversation({ timeoutMs: TIMEOUT_MS })
  opens = (): void => undefined
  refuses = (_: Error): void => undefined
  answers = (): void => undefined
  fails = (_: Error): void => undefined

  opensLater(): void {
    this.provider.onCreate = () =>
      new Promise<void>((resolve, reject) => {
        this.opens = resolve
        this.refuses = reject
      })
  }

  async failsOnce(): Promise<void> {
    this.provider.become({ status: 'unavailable' })
    this.conversation.send('a')
    await settle()
    this.provider.become({ status: 'ready' })
  }

  get state(): State {
    const { session, status } = this.conversation.getState()
    return `${session} ${status}`
  }
}

/** How a conversation gets there. */
const WAYS: Readonly<Record<State, (stage: Stage) => Promise<void>>> = {
  'none idle': async () => undefined,
  'none running': async ({ conversation }) => {
    const file = new Blob(['a'])
    file.arrayBuffer = () => new Promise(() => undefined)
    conversation.send({ content: 'Look', files: [file] })
  },
  'none error': (stage) => stage.failsOnce(),
  'starting idle': async (stage) => {
    stage.opensLater()
    void stage.conversation.warm()
  },
  'starting running': async (stage) => {
    stage.opensLater()
    stage.conversation.send('a')
  },
  'starting error': async (stage) => {
    await stage.failsOnce()
    stage.opensLater()
    void stage.conversation.warm()
  },
  'ready idle': async ({ conversation }) => void (await conversation.warm()),
  'ready running': async ({ conversation }) => void conversation.send('a'),
  'ready error': async ({ conversation, page }) => {
    conversation.send('a')
    await page.clock.advanceAsync(TIMEOUT_MS)
  },
}

const STEPS: Readonly<Record<Step, (stage: Stage) => unknown>> = {
  send: ({ conversation }) => conversation.send('b'),
  stop: ({ conversation }) => conversation.stop(),
  reset: ({ conversation }) => conversation.reset(),
  close: ({ conversation }) => void conversation.close(),
  warm: ({ conversation }) => void conversation.warm(),
  opens: (stage) => stage.opens(),
  refuses: (stage) => stage.refuses(new Error('refused')),
  answers: (stage) => stage.answers(),
  fails: (stage) => stage.fails(new Error('failed')),
  timeout: ({ page }) => page.clock.advanceAsync(TIMEOUT_MS),
}

const cells = Object.entries(TABLE).flatMap(([from, row]) =>
  Object.entries(row).map(([step, to]) => ({ from: from as State, step: step as Step, to })),
)

describe('the states of a conversation', () => {
  it.each(cells)('$from, $step: $to', async ({ from, step, to }) => {
    const stage = new Stage()
    await WAYS[from](stage)
    await settle()
    expect(stage.state).toBe(from)
    await STEPS[step](stage)
    await settle()
    expect(stage.state).toBe(to)
    const { error, status } = stage.conversation.getState()
    expect(error !== null).toBe(status === 'error')
    // Whatever happened, it can be ended and used again.
    void stage.conversation.close()
    stage.provider.onCreate = () => undefined
    const run = stage.conversation.send('c')
    await settle()
    stage.answers()
    await run.text()
    expect(stage.state).toBe('ready idle')
  })
})
