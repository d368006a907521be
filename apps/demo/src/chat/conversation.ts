/**
 * The visitor's conversation with their AI: one session, started with the first question, asked again after each.
 * Turns what the session reports into chat events; knows neither the page's drawing nor how the site got connected.
 */
import type { BridgeEvent, PageTool } from '@leuria/client'
import { createStore, type Store } from '../store.js'
import { reportCalls } from '../tools/report-calls.js'
import type { AiSession, AiSource } from './ai-session.js'
import { callEvent, chatEvents } from './chat-events.js'
import { chatReducer, EMPTY_CHAT, lastQuestion, openAnswer, type ChatEvent, type ChatState } from './chat-state.js'

export interface Conversation {
  readonly chat: Pick<Store<ChatState>, 'get' | 'subscribe'>
  /** Asks. Nothing happens while an answer is being made, or without words. */
  ask(text: string): void
  /** Stops the answer that is being made. */
  stop(): void
  /** Asks the last question again. */
  tryAgain(): void
  /** Ends the session: the visitor disconnected, here or elsewhere. The next question begins a new one. */
  end(notice?: string): void
}

/** How a session ended that the page didn't end. */
export type SessionEnd = 'closed' | 'failed' | 'not_started'

export interface ConversationOptions {
  source: AiSource
  tools: readonly PageTool[]
  systemPrompt: string
  /** Looks into why a session ended, and says it in words for the visitor. */
  whyEnded: (how: SessionEnd, error?: unknown) => Promise<string>
  /** How long a stopped answer may take to settle before a new session is begun instead. @default 10_000 */
  settleLimitMs?: number
}

const NEW_SESSION = 'A new conversation begins here. Your AI does not remember what was said above.'

export function createConversation(options: ConversationOptions): Conversation {
  const { source, systemPrompt, whyEnded, settleLimitMs = 10_000 } = options
  const chat = createStore(EMPTY_CHAT)
  const send = (event: ChatEvent): void => {
    chat.update((state) => chatReducer(state, event))
  }
  const tools = reportCalls(options.tools, (call) => {
    if (!isSettling) send(callEvent(call))
  })
  /** The session that questions go to, and the controller that marks what belongs to it. */
  let session: AiSession | null = null
  let current: AbortController | null = null
  /** The visitor stopped the answer; what still comes of it is dropped until the turn has ended. */
  let isSettling = false
  let settled: () => void = () => undefined
  let hadSession = false

  const drop = (): void => {
    current?.abort()
    session?.close().catch(() => undefined)
    session = null
    current = null
    isSettling = false
    settled()
  }

  const failed = async (how: SessionEnd, error?: unknown): Promise<void> => {
    drop()
    const asked = openAnswer(chat.get())?.id
    const notice = await whyEnded(how, error)
    if (openAnswer(chat.get())?.id === asked) send({ type: 'ended', how: 'failed', notice })
  }

  const onEvent = (event: BridgeEvent, own: AbortController): void => {
    if (current !== own) return
    const { event: name } = event
    if (name === 'completed' || name === 'cancelled') void failed('closed')
    else if (name === 'failed') void failed('failed')
    else if (!isSettling) for (const chatEvent of chatEvents(event)) send(chatEvent)
    else if (name === 'turn_completed') {
      isSettling = false
      settled()
    }
  }

  const start = async (text: string): Promise<void> => {
    const own = new AbortController()
    current = own
    try {
      const { signal } = own
      const begun = await source.startSession({
        ...{ prompt: text, systemPrompt, tools, signal },
        onEvent: (event) => {
          onEvent(event, own)
        },
      })
      if (current === own) session = begun
      else begun.close().catch(() => undefined)
      hadSession = true
    } catch (error) {
      if (current === own) await failed('not_started', error)
    }
  }

  const goOn = async (running: AiSession, text: string): Promise<void> => {
    try {
      if (isSettling) await untilSettled()
      if (session === running) await running.prompt(text)
      else if (openAnswer(chat.get()) !== null) await start(text)
    } catch (error) {
      if (session === running) await failed('not_started', error)
    }
  }

  /** Waits for a stopped turn to end; one that doesn't is left behind with its session. */
  const untilSettled = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(drop, settleLimitMs)
      settled = () => {
        clearTimeout(timer)
        settled = () => undefined
        resolve()
      }
    })

  const ask = (text: string): void => {
    const words = text.trim()
    if (words === '' || openAnswer(chat.get()) !== null) return
    const running = session?.status === 'ended' ? null : session
    if (running === null && hadSession) send({ type: 'note', text: NEW_SESSION })
    send({ type: 'asked', text: words })
    if (running === null) void start(words)
    else void goOn(running, words)
  }

  return {
    chat,
    ask,
    stop() {
      if (openAnswer(chat.get()) === null) return
      send({ type: 'ended', how: 'stopped' })
      if (session === null) {
        drop() // The AI is still being started: the start itself is called off.
        return
      }
      isSettling = session.status === 'running'
      session.cancelTurn().catch(() => undefined)
    },
    tryAgain() {
      const text = lastQuestion(chat.get())
      if (text !== null) ask(text)
    },
    end(notice) {
      drop()
      send({ type: 'ended', how: 'stopped', ...(notice === undefined ? {} : { notice }) })
    },
  }
}
