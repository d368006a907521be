/**
 * The visitor's conversation with their AI, as the chat needs it: the SDK's conversation asked, its events turned into the
 * chat's, one question at a time. Knows neither the page's drawing nor how the site got connected.
 */
import { AbortError, type Conversation as Talk, type LeuriaError } from '@leuria/client'
import { createStore, type Store } from '../store.js'
import { chatEvent } from './chat-events.js'
import { chatReducer, EMPTY_CHAT, lastQuestion, openAnswer, type ChatEvent, type ChatState } from './chat-state.js'

export interface Conversation {
  readonly chat: Pick<Store<ChatState>, 'get' | 'subscribe'>
  /** Asks. Nothing happens while an answer is being made, or without words. */
  ask(text: string): void
  /** Stops the answer that is being made. */
  stop(): void
  /** Asks the last question again. */
  tryAgain(): void
  /** The visitor disconnected, here or elsewhere. What was said stays. */
  end(notice?: string): void
}

export interface ConversationOptions {
  talk: Pick<Talk, 'send' | 'stop' | 'close' | 'on'>
  /** Looks into why an answer failed, and says it in words for the visitor. */
  whyFailed: (error: LeuriaError) => Promise<string>
}

export function createConversation({ talk, whyFailed }: ConversationOptions): Conversation {
  const chat = createStore(EMPTY_CHAT)
  const tell = (event: ChatEvent): void => {
    chat.update((state) => chatReducer(state, event))
  }
  const fail = async (error: LeuriaError): Promise<void> => {
    const asked = openAnswer(chat.get())?.id
    const notice = await whyFailed(error)
    // The visitor may have stopped it, or been disconnected, while it was looked into.
    if (openAnswer(chat.get())?.id === asked) tell({ type: 'ended', how: 'failed', notice })
  }
  talk.on((event) => {
    if (event.type === 'error' && event.error instanceof AbortError) tell({ type: 'ended', how: 'stopped' })
    else if (event.type === 'error') void fail(event.error)
    else {
      const news = chatEvent(event)
      if (news !== null) tell(news)
    }
  })
  const ask = (text: string): void => {
    const words = text.trim()
    if (words === '' || openAnswer(chat.get()) !== null) return
    tell({ type: 'asked', text: words })
    talk.send(words)
  }
  return {
    chat,
    ask,
    stop() {
      talk.stop()
    },
    tryAgain() {
      const text = lastQuestion(chat.get())
      if (text !== null) ask(text)
    },
    end(notice) {
      tell({ type: 'ended', how: 'stopped', ...(notice === undefined ? {} : { notice }) })
      void talk.close()
    },
  }
}
