/** How the shop stands with the visitor's AI: the card in the chat panel and the pill in the page's head. */
import type { AiConnection } from '../connection/ai-connection.js'
import { connectionWords, type ConnectionWords } from '../connection/connection-words.js'
import { element, fill, setAttributes } from './element.js'
import { icon } from './icons.js'

export interface ConnectionView {
  /** Everything there is to say while the shop isn't connected. */
  readonly card: HTMLElement
  /** One line while it is. */
  readonly bar: HTMLElement
  readonly pill: HTMLButtonElement
}

export interface ConnectionViewOptions {
  /** The pill was clicked. */
  onPill: () => void
  /** Connected, and the focus was on what has gone: it needs a new place. */
  onFocusFree: () => void
}

export function createConnectionView(connection: AiConnection, options: ConnectionViewOptions): ConnectionView {
  const card = element('section', {
    class: 'connection-card',
    testId: 'connection-card',
    attributes: { 'aria-label': 'Connection to your AI' },
  })
  // The words alone are announced, not the buttons around them.
  const spoken = element('div', { class: 'visually-hidden', attributes: { role: 'status' } })
  const bar = element('div', { class: 'connection-bar', testId: 'connection-bar' })
  const pill = element('button', {
    class: 'pill',
    testId: 'connection-pill',
    attributes: { type: 'button', 'aria-controls': 'chat' },
    on: { click: options.onPill },
  })
  const draw = (): void => {
    const facts = connection.facts.get()
    const words = connectionWords(facts)
    const { status } = facts.state
    const isConnected = status === 'connected'
    const hadFocus = card.contains(document.activeElement)
    card.hidden = isConnected
    bar.hidden = !isConnected
    for (const node of [card, bar, pill]) setAttributes(node, { 'data-status': status, 'data-tone': words.tone })
    fill(card, ...cardContent(words, connection))
    fill(bar, ...barContent(words, connection))
    fill(pill, element('span', { class: 'tone-dot' }), element('span', { class: 'pill-text', text: words.short }))
    if (hadFocus) keepFocus(card, options.onFocusFree)
    const line = isConnected ? `Connected to ${words.title}.` : `${words.title}. ${words.text}`
    if (spoken.textContent !== line) spoken.textContent = line
  }
  connection.facts.subscribe(draw)
  draw()
  return { card, bar: withSpoken(bar, spoken), pill }
}

/** The button that had the focus is gone: its follower gets it, or whoever comes next. */
function keepFocus(card: HTMLElement, onFocusFree: () => void): void {
  const next = card.hidden ? null : card.querySelector<HTMLElement>('button')
  if (next === null) onFocusFree()
  else next.focus()
}

/** The announcement must be in the page whatever else is hidden. */
function withSpoken(bar: HTMLElement, spoken: HTMLElement): HTMLElement {
  return element('div', {}, bar, spoken)
}

function cardContent(words: ConnectionWords, connection: AiConnection): Node[] {
  return [
    element('div', { class: 'connection-sign', attributes: { 'aria-hidden': 'true' } }, icon('link')),
    element('h3', { text: words.title, testId: 'connection-title' }),
    element('p', { text: words.text, testId: 'connection-text' }),
    ...(words.command === undefined ? [] : [commandLine(words.command)]),
    ...(words.action === undefined ? [] : [actionButton(words.action, connection)]),
    ...(words.points === undefined ? [] : [pointList(words.points)]),
  ]
}

function barContent(words: ConnectionWords, connection: AiConnection): Node[] {
  const about = element(
    'p',
    { class: 'connection-about' },
    element('span', { class: 'tone-dot' }),
    element('span', { class: 'visually-hidden', text: 'Connected to ' }),
    element('strong', { text: words.title, testId: 'connected-ai' }),
  )
  const action = words.action
  if (action === undefined) return [about]
  const leave = element('button', {
    class: 'text-button',
    text: action.label,
    testId: 'disconnect',
    attributes: { type: 'button' },
    on: {
      click: () => {
        connection.act(action.does)
      },
    },
  })
  return [about, leave]
}

function commandLine(command: string): HTMLElement {
  return element(
    'p',
    { class: 'command' },
    element('span', { text: 'In a terminal: ' }),
    element('code', { text: command }),
  )
}

function pointList(points: readonly string[]): HTMLElement {
  return element(
    'ul',
    { class: 'points', attributes: { role: 'list' } },
    ...points.map((text) => element('li', {}, icon('check'), element('span', { text }))),
  )
}

function actionButton(action: NonNullable<ConnectionWords['action']>, connection: AiConnection): HTMLElement {
  return element('button', {
    class: action.does === 'cancel' ? 'button button-quiet' : 'button button-main',
    text: action.label,
    testId: 'connection-action',
    attributes: { type: 'button' },
    on: {
      click: () => {
        connection.act(action.does)
      },
    },
  })
}
