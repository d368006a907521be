/** The page's frame: head, hero, shelf and chat side by side, or the chat over the rest where there is little room. */
import { CATALOGUE } from '../shop/catalogue.js'
import { siteHead } from '../site/site-head.js'
import { element } from './element.js'
import { icon } from './icons.js'
import { mugDrawing } from './mug-drawing.js'

export interface PageParts {
  pill: Node
  cartButton: Node
  shelf: Node
  chat: HTMLElement
  /** Moves the focus to where one would write. */
  focusChat: () => void
  /** How the page is made. */
  source: Node
  overlays: readonly Node[]
}

export interface PageLayout {
  build(parts: PageParts): void
  openChat(): void
  closeChat(): void
}

/** Where the chat lies over the shop; the same width as in chat.css. */
const NARROW = '(width < 64rem)'

export function pageLayout(): PageLayout {
  let opener: Element | null = null
  const launcher = element(
    'button',
    { class: 'launcher', testId: 'chat-launcher', attributes: { type: 'button', 'aria-controls': 'chat' } },
    icon('chat'),
    element('span', { text: 'Ask your AI' }),
  )
  const isNarrow = window.matchMedia(NARROW)
  const behind: HTMLElement[] = []
  const isOpen = (): boolean => document.body.dataset.chat === 'open'
  /** Where the chat lies over the page, nothing behind it may take the focus. */
  const shield = (): void => {
    for (const node of behind) node.inert = isOpen() && isNarrow.matches
  }
  isNarrow.addEventListener('change', shield)
  const openChat = (): void => {
    if (!isOpen()) opener = document.activeElement
    document.body.dataset.chat = 'open'
    shield()
  }
  const closeChat = (): void => {
    delete document.body.dataset.chat
    shield()
    if (opener instanceof HTMLElement) opener.focus()
  }
  return {
    openChat,
    closeChat,
    build({ pill, cartButton, shelf, chat, focusChat, source, overlays }) {
      launcher.addEventListener('click', () => {
        openChat()
        focusChat()
      })
      document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && isOpen() && document.querySelector('dialog[open]') === null) closeChat()
      })
      const main = element(
        'main',
        { class: 'shop', attributes: { id: 'shop', tabindex: -1 } },
        hero(),
        shelf,
        source,
        foot(),
      )
      const head = siteHead({ page: 'shop', end: [pill, cartButton] })
      behind.push(main, head, launcher)
      document.body.prepend(
        element('a', { class: 'skip-link', text: 'Skip to the mugs', attributes: { href: '#shop' } }),
        head,
        element('div', { class: 'columns' }, main, chat),
        launcher,
        ...overlays,
      )
    },
  }
}

/** Three mugs that look well together. */
const HERO_MUGS = ['fern', 'midnight', 'oat']

function hero(): HTMLElement {
  const mugs = HERO_MUGS.flatMap((id) => CATALOGUE.filter((mug) => mug.id === id))
  return element(
    'section',
    { class: 'hero' },
    element(
      'div',
      { class: 'hero-text' },
      element('h1', { text: 'Mugs with a morning in them' }),
      element('p', {
        text: 'Twelve mugs, thrown and glazed by hand, a few at a time. Look around, or ask your own AI to look for you.',
      }),
    ),
    element('div', { class: 'hero-mugs', attributes: { 'aria-hidden': 'true' } }, ...mugs.map(mugDrawing)),
  )
}

function foot(): HTMLElement {
  return element('p', {
    class: 'foot',
    text: 'Small Kiln is a demo of Leuria. Nothing is sold here. What you ask goes from this page to the AI on your computer, and nowhere else from here.',
  })
}
