/**
 * What the program tells the window's page: `window.leuriaDesktop` and the event `leuria:desktop`, whose `detail` is the
 * same object, whenever it changes. Put into the page over the browser's pipe, into this one origin only.
 */

/** The window's address. The engine knows it as the app's own origin. */
export const WINDOW_ORIGIN = 'http://tauri.localhost'

export interface WindowState {
  /** Where the engine is, and what opens its admin API; `null` while it isn't there. */
  engine: { port: number; token: string } | null
  /** Why it isn't, and what to do; `null`: it is, or is starting. */
  problem: { code: string; message: string } | null
  /** A connected site whose settings were asked for by a link; a new `serial` for each time. */
  site: { origin: string; serial: number } | null
}

/** What the page may ask of the program: `leuriaDesktop.retry()`, `.quit()`, `.openPage(url)`. */
export const WINDOW_CALL = 'leuriaDesktopCall'

/** Text inside a script: JSON, with what would end a script or a line in old parsers written otherwise. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A script that sets the state in the window's own page, and does nothing in any other. */
export function stateScript(state: WindowState): string {
  return `(() => {
  if (window !== window.top || location.origin !== ${literal(WINDOW_ORIGIN)}) return
  const call = (message) => window.${WINDOW_CALL}?.(JSON.stringify(message))
  const desktop = Object.freeze({
    ...${literal(state)},
    retry: () => call({ do: 'retry' }),
    quit: () => call({ do: 'quit' }),
    openPage: (url) => call({ do: 'open_page', url: String(url) }),
  })
  Object.defineProperty(window, 'leuriaDesktop', { value: desktop, configurable: true, enumerable: true })
  window.dispatchEvent(new CustomEvent('leuria:desktop', { detail: desktop }))
})()`
}
