/** Keeps `leuria:` links inside the page, for an engine that has no app to receive them. */

/** Returns its undo. */
export function keepLinksIn(page: EventTarget): () => void {
  const stop = (event: Event): void => {
    const link = event.target
    if (link !== null && 'href' in link && String(link.href).startsWith('leuria:')) event.preventDefault()
  }
  page.addEventListener('click', stop)
  return () => {
    page.removeEventListener('click', stop)
  }
}
