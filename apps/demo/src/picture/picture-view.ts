/** The questions about a picture and their answers, drawn from the conversation's own state. */
import { messageText, NoProviderError, type ConversationState, type Message } from '@leuria/client'
import { answerText } from '../view/answer-text.js'
import { element, fill } from '../view/element.js'
import { icon } from '../view/icons.js'
import type { PictureTalk } from './ask-picture.js'

/** Longest question. */
const MAX_QUESTION_LENGTH = 500

export interface PictureView {
  readonly node: HTMLElement
  /** Puts a question into the field, unless the visitor has begun one of their own. */
  suggest(question: string): void
}

export function createPictureView({ talk, ask }: PictureTalk): PictureView {
  const log = element('div', {
    class: 'picture-log',
    testId: 'picture-log',
    attributes: { role: 'log', 'aria-label': 'Questions and answers' },
  })
  const news = element('p', { class: 'desk-news', testId: 'picture-news', attributes: { role: 'status' } })
  const input = element('input', {
    testId: 'picture-question',
    attributes: { type: 'text', id: 'picture-question', autocomplete: 'off', maxlength: MAX_QUESTION_LENGTH },
  })
  const send = button('send', 'Ask', 'submit')
  const stop = button('stop', 'Stop the answer', 'button')
  let suggested = ''
  const draw = (): void => {
    const state = talk.getState()
    fill(log, ...state.messages.map(messageNode))
    log.hidden = state.messages.length === 0
    const isRunning = state.status === 'running'
    send.hidden = isRunning
    stop.hidden = !isRunning
    news.textContent = newsOf(state)
    news.dataset.failed = String(state.status === 'error')
  }
  talk.subscribe(draw)
  talk.on((event) => {
    if (event.type === 'status' && event.status !== null) news.textContent = event.status
  })
  draw()
  stop.addEventListener('click', () => {
    talk.stop()
    input.focus()
  })
  const form = element(
    'form',
    { class: 'composer picture-composer' },
    element('label', {
      class: 'visually-hidden',
      text: 'Your question about the picture',
      attributes: { for: 'picture-question' },
    }),
    input,
    send,
    stop,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const question = input.value.trim()
    if (question === '' || talk.getState().status === 'running') return
    ask(question)
    input.value = ''
    suggested = ''
  })
  const node = element(
    'section',
    { class: 'picture-talk', attributes: { 'aria-label': 'Ask about the picture' } },
    element('leuria-ai-status'),
    log,
    news,
    form,
  )
  return {
    node,
    suggest(question) {
      if (input.value !== suggested) return
      input.value = question
      suggested = question
    },
  }
}

function button(sign: 'send' | 'stop', label: string, type: 'submit' | 'button'): HTMLButtonElement {
  return element(
    'button',
    { class: 'round-button', testId: `picture-${sign}`, attributes: { type, 'aria-label': label } },
    icon(sign),
  )
}

function newsOf({ status, error, messages }: ConversationState): string {
  if (error instanceof NoProviderError) return 'Connect your AI first: the button is at the top of this page.'
  if (error !== null) return error.message
  const last = messages.at(-1)
  const isSilent = last?.role !== 'assistant' || messageText(last) === ''
  return status === 'running' && isSilent ? 'Your AI is thinking …' : ''
}

function messageNode(message: Message): HTMLElement {
  const isQuestion = message.role === 'user'
  const text = messageText(message)
  return element(
    'div',
    { class: `chat-item chat-${isQuestion ? 'question' : 'answer'}`, testId: isQuestion ? 'question' : 'answer' },
    element('span', { class: 'visually-hidden', text: isQuestion ? 'You: ' : 'Your AI: ' }),
    ...(isQuestion ? [element('p', { text })] : [element('div', { class: 'answer-text' }, ...answerText(text))]),
  )
}
