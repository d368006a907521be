/** The chat panel: connection, conversation, and the place to write. */
import type { AiConnection } from '../connection/ai-connection.js'
import type { Conversation } from '../chat/conversation.js'
import { openAnswer } from '../chat/chat-state.js'
import { createSpeaker } from '../chat/speaker.js'
import { createChatLog } from './chat-log-view.js'
import type { ConnectionView } from './connection-view.js'
import { element } from './element.js'
import { icon } from './icons.js'
import { suggestionButtons } from './suggestion-buttons.js'

export interface ChatView {
  readonly panel: HTMLElement
  /** Moves the focus to where one would write, or to the heading while there is nothing to write in. */
  readonly focus: () => void
}

const SUGGESTIONS = ['Do you have a blue mug?', 'Something white under 25 euros', 'What is in my cart?']

/** Longest question; a page-long one would only be cut by somebody else. */
const MAX_QUESTION_LENGTH = 2_000

export interface ChatParts {
  conversation: Conversation
  connection: AiConnection
  connectionView: ConnectionView
  onClose: () => void
}

export function createChatView({ conversation, connection, connectionView, onClose }: ChatParts): ChatView {
  const log = createChatLog(() => {
    conversation.tryAgain()
  })
  const composer = createComposer(conversation)
  const suggestions = suggestionList((text) => {
    conversation.ask(text)
  })
  const announcer = element('div', {
    class: 'visually-hidden',
    testId: 'chat-announcer',
    attributes: { role: 'status' },
  })
  const speaker = createSpeaker((text) => {
    announcer.append(element('p', { text }))
    // Old sentences have been read; keeping them would make the region grow without end.
    while (announcer.childElementCount > 20) announcer.firstElementChild?.remove()
  })
  const heading = element('h2', { text: 'Ask the shop', attributes: { id: 'chat-title', tabindex: -1 } })
  const draw = (): void => {
    const chat = conversation.chat.get()
    const isConnected = connection.facts.get().state.status === 'connected'
    log.node.hidden = chat.items.length === 0
    suggestions.hidden = !isConnected || chat.items.length > 0
    const isNew = composer.node.hidden && isConnected
    composer.node.hidden = !isConnected
    if (isNew && document.activeElement === heading) composer.focus()
    composer.setBusy(openAnswer(chat) !== null)
    speaker.hear(chat)
    log.draw(chat)
  }
  conversation.chat.subscribe(drawOncePerFrame(draw))
  connection.facts.subscribe(draw)
  draw()
  const close = element(
    'button',
    {
      class: 'icon-button chat-close',
      testId: 'chat-close',
      attributes: { type: 'button', 'aria-label': 'Close the chat' },
      on: { click: onClose },
    },
    icon('close'),
  )
  const panel = element(
    'aside',
    { class: 'chat', testId: 'chat', attributes: { id: 'chat', 'aria-labelledby': 'chat-title' } },
    element('header', { class: 'chat-head' }, heading, close),
    connectionView.bar,
    log.node,
    suggestions,
    connectionView.card,
    composer.node,
    announcer,
  )
  return {
    panel,
    focus() {
      if (composer.node.hidden) heading.focus()
      else composer.focus()
    },
  }
}

/** Words come faster than a screen shows them. */
function drawOncePerFrame(draw: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    const run = (): void => {
      isDue = false
      draw()
    }
    // A hidden tab has no frames; its screen reader and its title still want the news.
    if (document.hidden) setTimeout(run, 0)
    else requestAnimationFrame(run)
  }
}

function suggestionList(onPick: (text: string) => void): HTMLElement {
  return element(
    'div',
    { class: 'suggestions', testId: 'suggestions' },
    element('p', { text: 'Your AI can search the shelves, fill your cart and ask you to order. Try:' }),
    ...suggestionButtons(SUGGESTIONS, onPick),
  )
}

interface Composer {
  readonly node: HTMLFormElement
  setBusy(isBusy: boolean): void
  focus(): void
}

function createComposer(conversation: Conversation): Composer {
  const input = element('textarea', {
    testId: 'chat-input',
    attributes: { id: 'chat-input', rows: 1, placeholder: 'Ask about the mugs', maxlength: MAX_QUESTION_LENGTH },
  })
  const send = element(
    'button',
    { class: 'round-button', testId: 'chat-send', attributes: { type: 'submit', 'aria-label': 'Send' } },
    icon('send'),
  )
  const stop = element(
    'button',
    { class: 'round-button', testId: 'chat-stop', attributes: { type: 'button', 'aria-label': 'Stop the answer' } },
    icon('stop'),
  )
  const node = element(
    'form',
    { class: 'composer' },
    element('label', { class: 'visually-hidden', text: 'Your question', attributes: { for: 'chat-input' } }),
    input,
    send,
    stop,
  )
  const submit = (): void => {
    if (input.value.trim() === '' || openAnswer(conversation.chat.get()) !== null) return
    conversation.ask(input.value)
    input.value = ''
  }
  node.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  input.addEventListener('keydown', (event) => {
    // While a word is being composed (Japanese, for example) Enter ends the word, not the question.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  })
  stop.addEventListener('click', () => {
    conversation.stop()
    input.focus()
  })
  return {
    node,
    setBusy(isBusy) {
      send.hidden = isBusy
      stop.hidden = !isBusy
    },
    focus() {
      input.focus()
    },
  }
}
