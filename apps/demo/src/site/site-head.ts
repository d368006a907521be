/** The head of every page: whose site it is, where one may go, and what the page itself puts at its end. */
import { element, svg } from '../view/element.js'
import { icon } from '../view/icons.js'
import { SITE_NAME } from './site-name.js'
import { SITE_PAGES, type PageId } from './site-pages.js'

export interface SiteHeadOptions {
  /** The page that this is. */
  page: PageId
  /** Connection, cart and the like. */
  end: readonly Node[]
}

export function siteHead({ page, end }: SiteHeadOptions): HTMLElement {
  return element('header', { class: 'head' }, brand(), pageLinks(page), element('div', { class: 'head-end' }, ...end))
}

function pageLinks(current: PageId): HTMLElement {
  const links = Object.entries(SITE_PAGES).map(([id, { href, name }]) =>
    element(
      'li',
      {},
      element('a', { text: name, attributes: { href, 'aria-current': id === current ? 'page' : undefined } }),
    ),
  )
  const made = element(
    'a',
    { class: 'pages-made', attributes: { href: '#made' } },
    icon('code'),
    element('span', { text: 'How it is made' }),
  )
  return element(
    'nav',
    { class: 'pages', testId: 'pages', attributes: { 'aria-label': 'Pages' } },
    element('ul', { attributes: { role: 'list' } }, ...links),
    made,
  )
}

function brand(): HTMLElement {
  const arch = 'M5 20v-8a7 7 0 0 1 14 0v8z M10 20v-4a2 2 0 0 1 4 0v4'
  return element(
    'p',
    { class: 'brand' },
    svg(
      'svg',
      { viewBox: '0 0 24 24', class: 'brand-mark', 'aria-hidden': 'true', focusable: 'false' },
      svg('path', { d: arch, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8, 'stroke-linejoin': 'round' }),
    ),
    element('span', { text: SITE_NAME }),
  )
}
