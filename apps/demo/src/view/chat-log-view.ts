/** The conversation's items as nodes: questions, and answers with their tool calls. Only what changed is drawn anew. */
import {
  isOpen,
  type Answer,
  type AnswerStatus,
  type CallCard,
  type ChatItem,
  type ChatState,
} from '../chat/chat-state.js'
import { callWords, resultWords } from '../tools/call-words.js'
import { answerText } from './answer-text.js'
import { element, fill, setAttributes } from './element.js'
import { icon } from './icons.js'

export interface ChatLog {
  readonly node: HTMLElement
  draw(state: ChatState): void
}

const BUSY_WORDS: Readonly<Partial<Record<AnswerStatus, string>>> = {
  starting: 'Starting your AI',
  thinking: 'Thinking',
  calling: 'Using the shop',
}

export function createChatLog(onTryAgain: () => void): ChatLog {
  // Word by word is no pleasure to hear: whole sentences are announced elsewhere.
  const node = element('div', {
    class: 'chat-log',
    testId: 'chat-log',
    attributes: { role: 'log', 'aria-live': 'off', 'aria-label': 'Conversation', tabindex: 0 },
  })
  const drawn = new Map<number, { item: ChatItem; node: HTMLElement }>()
  return {
    node,
    draw(state) {
      const wasAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < 80
      for (const item of state.items) {
        const known = drawn.get(item.id)
        if (known?.item === item) continue
        const target = known?.node ?? element('div')
        drawItem(target, item, onTryAgain)
        drawn.set(item.id, { item, node: target })
        if (known === undefined) node.append(target)
      }
      const asked = state.items.at(-2)?.kind === 'question' && state.items.length > 0
      if (wasAtEnd || asked) node.scrollTop = node.scrollHeight
    },
  }
}

function drawItem(node: HTMLElement, item: ChatItem, onTryAgain: () => void): void {
  node.className = `chat-item chat-${item.kind}`
  node.dataset.testid = item.kind
  if (item.kind === 'answer') drawAnswer(node, item, onTryAgain)
  else fill(node, element('span', { class: 'visually-hidden', text: 'You: ' }), element('p', { text: item.text }))
}

function drawAnswer(node: HTMLElement, answer: Answer, onTryAgain: () => void): void {
  setAttributes(node, { 'data-status': answer.status })
  const parts = answer.parts.flatMap((part) =>
    part.kind === 'call'
      ? [callCard(part)]
      : [element('div', { class: 'answer-text', testId: 'answer-text' }, ...answerText(part.text))],
  )
  fill(
    node,
    element('span', { class: 'visually-hidden', text: 'Your AI: ' }),
    ...parts,
    busyLine(answer),
    ending(answer, onTryAgain),
  )
}

/** The one tool that waits for the visitor: "using the shop" would let them wait for it. */
function isAskingVisitor({ parts }: Answer): boolean {
  return parts.some((part) => part.kind === 'call' && part.tool === 'confirm_order' && part.status === 'running')
}

function busyLine(answer: Answer): HTMLElement | null {
  if (!isOpen(answer)) return null
  const words = answer.notice ?? (isAskingVisitor(answer) ? 'Waiting for your click' : BUSY_WORDS[answer.status])
  if (words === undefined) return null
  return element(
    'p',
    { class: 'busy', testId: 'busy' },
    element('span', { text: words }),
    element('span', { class: 'dots', attributes: { 'aria-hidden': 'true' } }, element('i'), element('i'), element('i')),
  )
}

function ending({ status, notice, parts }: Answer, onTryAgain: () => void): HTMLElement | null {
  const words =
    status === 'stopped'
      ? (notice ?? 'You stopped this answer.')
      : status === 'failed' || status === 'done'
        ? notice
        : undefined
  if (words === undefined && parts.length > 0) return null
  const text = words ?? (status === 'done' ? 'Your AI had nothing to say.' : undefined)
  if (text === undefined) return null
  const again =
    status === 'failed'
      ? element('button', {
          class: 'button button-quiet',
          text: 'Try again',
          testId: 'chat-try-again',
          attributes: { type: 'button' },
          on: { click: onTryAgain },
        })
      : null
  return element('div', { class: 'ending', testId: 'answer-ending' }, element('p', { text }), again)
}

function callResult({ status, tool, result, error }: CallCard): string {
  if (status === 'running') return ''
  return status === 'failed' ? (error ?? 'it did not work') : resultWords(tool, result)
}

function callCard(call: CallCard): HTMLElement {
  const words = callWords(call.tool, call.args)
  const result = callResult(call)
  return element(
    'div',
    { class: 'call', testId: 'tool-call', attributes: { 'data-tool': call.tool, 'data-status': call.status } },
    element(
      'span',
      { class: 'call-sign', attributes: { 'aria-hidden': 'true' } },
      call.status === 'running'
        ? element('span', { class: 'spinner' })
        : icon(call.status === 'done' ? 'check' : 'cross'),
    ),
    element(
      'div',
      { class: 'call-text' },
      element('p', { text: call.status === 'done' ? words.done : words.doing }),
      result === '' ? null : element('p', { class: 'call-result', text: result }),
      element('code', { text: call.tool }),
    ),
  )
}
