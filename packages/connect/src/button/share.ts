/** Hands things to the visitor: a text to the clipboard, this page's address to another device. */

/** Whether it worked; a page may be kept from the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The system's own sheet where there is one, else the clipboard; true if the visitor should be told "copied". */
export async function sharePage(): Promise<boolean> {
  const page = { title: document.title, url: location.href }
  // Missing in some browsers, whatever the types say.
  if (!('share' in navigator)) return copyText(page.url)
  try {
    await navigator.share(page)
    return false
  } catch (error) {
    const wasClosed = error instanceof DOMException && error.name === 'AbortError'
    return wasClosed ? false : copyText(page.url)
  }
}
