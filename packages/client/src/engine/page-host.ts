/**
 * The page that this code runs in, as the few things the transport needs of it. In a browser that is `browserPage()`;
 * on a server or in a test without a document it is `noPage`, which does nothing.
 */
import type { TokenStorage } from './token-storage.js'

/**
 * `hide`: the page is being left. `show`: it came back from the back/forward cache. `visible`: its tab was looked at again.
 * `focus`: so was its window. `online`: the network came back. `storage`: another tab changed the storage.
 */
export type PageSignal = 'hide' | 'show' | 'visible' | 'focus' | 'online' | 'storage'

/** The part of `BroadcastChannel` that is used. */
export interface TabChannel {
  postMessage(message: unknown): void
  close(): void
}

export interface PageHost {
  /** The page's origin as the browser sends it. `null`: a page without one (a file, a sandboxed frame). */
  readonly origin: string
  /** False on phones and tablets, where there is no Leuria. */
  readonly runsLeuria: boolean
  /** Its tab is the one that shows, in a window that isn't minimised. */
  readonly isVisible: boolean
  /** Hands a `leuria:` link to the system, as a click on a link would. */
  openLink(link: string): void
  /** @throws where storage is blocked */
  storage(): TokenStorage | null
  /** Talks to other tabs of this origin. `null`: not available. */
  openTabChannel(name: string, onMessage: (message: unknown) => void): TabChannel | null
  /** Returns its undo. */
  subscribe(listener: (signal: PageSignal) => void): () => void
}

export const noPage: PageHost = {
  origin: 'null',
  runsLeuria: false,
  isVisible: false,
  openLink: () => undefined,
  storage: () => null,
  openTabChannel: () => null,
  subscribe: () => () => undefined,
}

/**
 * Whether this device may have Leuria at all: phones and tablets don't, nor does a server. iPads say they are Macs; what gives
 * them away is that they can be touched.
 */
export function leuriaRunsHere(): boolean {
  if (typeof document === 'undefined') return false
  const { userAgent, maxTouchPoints } = navigator
  return !/iPhone|iPad|iPod|Android/.test(userAgent) && !(/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

function openLink(link: string): void {
  const anchor = document.createElement('a')
  anchor.href = link
  anchor.style.display = 'none'
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
}

function openTabChannel(name: string, onMessage: (message: unknown) => void): TabChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null
  try {
    const channel = new BroadcastChannel(name)
    channel.onmessage = (event: MessageEvent<unknown>) => {
      onMessage(event.data)
    }
    return channel
  } catch {
    return null // Blocked together with storage: each tab is then alone.
  }
}

function subscribe(listener: (signal: PageSignal) => void): () => void {
  const stop = new AbortController()
  const on = (target: EventTarget, type: string, handle: (event: Event) => void): void => {
    target.addEventListener(type, handle, { signal: stop.signal })
  }
  for (const signal of ['pagehide', 'pageshow', 'focus', 'online', 'storage'] as const) {
    on(window, signal, (event) => {
      if (signal === 'pagehide') listener('hide')
      else if (signal !== 'pageshow') listener(signal)
      else if ('persisted' in event && event.persisted === true) listener('show')
    })
  }
  on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') listener('visible')
  })
  return () => {
    stop.abort()
  }
}

/** The page of this browser tab, or `noPage` where there is none. */
export function currentPage(): PageHost {
  if (typeof document === 'undefined') return noPage
  return {
    get origin() {
      return location.origin
    },
    runsLeuria: leuriaRunsHere(),
    get isVisible() {
      return document.visibilityState === 'visible'
    },
    openLink,
    storage: () => window.localStorage,
    openTabChannel,
    subscribe,
  }
}
