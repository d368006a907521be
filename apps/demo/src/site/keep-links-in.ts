/** Keeps `leuria:` links inside the page, for an engine that has no app to receive them. */

/** @param onKept hears each link that is kept in. Returns its undo. */
export function keepLinksIn(page: EventTarget, onKept: (link: string) => void = () => undefined): () => void {
  const stop = (event: Event): void => {
    const link = event.target
    const href = link !== null && 'href' in link ? String(link.href) : ''
    if (!href.startsWith('leuria:')) return
    event.preventDefault()
    onKept(href)
  }
  page.addEventListener('click', stop)
  return () => {
    page.removeEventListener('click', stop)
  }
}
