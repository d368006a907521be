/** The frame of the pages beside the shop: head with the connect button, the page's own part, and its source beside it. */
import '@leuria/connect'
import { setDefaultClient } from '@leuria/connect'
import type { Leuria } from '@leuria/client'
import { element } from '../view/element.js'
import { siteHead } from './site-head.js'
import type { PageId } from './site-pages.js'

export interface SitePageParts {
  page: PageId
  client: Leuria
  title: string
  /** A sentence or two under it. */
  lead: string
  content: readonly Node[]
  source: HTMLElement
}

export function buildSitePage({ page, client, title, lead, content, source }: SitePageParts): void {
  setDefaultClient(client)
  const connect = element('leuria-connect-button', { attributes: { size: 1, 'hide-byline': true } })
  const main = element(
    'main',
    { class: 'work', attributes: { id: 'work', tabindex: -1 } },
    element('div', { class: 'work-title' }, element('h1', { text: title }), element('p', { text: lead })),
    ...content,
    element('p', {
      class: 'foot',
      text: 'Small Kiln is a demo of Leuria. What you ask goes from this page to the AI on your computer, and nowhere else from here.',
    }),
  )
  document.body.prepend(
    element('a', { class: 'skip-link', text: 'Skip to the page', attributes: { href: '#work' } }),
    siteHead({ page, end: [connect] }),
    element('div', { class: 'beside' }, main, source),
  )
}
