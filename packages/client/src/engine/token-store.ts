/**
 * What this site remembers of one engine, shared by all its tabs: the grant token, and when the visitor last said no. Owns
 * the storage keys and the talk between tabs; what a change means is the connection's business.
 */
import type { Clock } from '@leuria/clock'
import { DENIAL_COOLDOWN_MS } from '@leuria/protocol/browser'
import { Listeners } from './callbacks.js'
import type { PageHost, TabChannel } from './page-host.js'
import { safeStorage, type TokenStorage } from './token-storage.js'
import { fieldsOf } from './unknown-value.js'

export interface TokenStoreOptions {
  /** The engine's base URL without slashes at the end. */
  url: string
  page: PageHost
  clock: Clock
  /** @default the page's localStorage */
  storage?: TokenStorage
}

export interface TokenStore {
  get(): string | null
  set(token: string): void
  /**
   * Drops the token. With `token`, only if that one is still stored: a late refusal of an old token must not cost the site
   * the new one.
   */
  forget(token?: string): void
  /** The visitor said no. */
  declined(): void
  /** That is so fresh that the engine doesn't ask them again. */
  isCool(): boolean
  /** Told of each change, also by another tab. Returns its undo. */
  subscribe(listener: (token: string | null) => void): () => void
  close(): void
}

export function createTokenStore({ url, page, clock, storage }: TokenStoreOptions): TokenStore {
  const key = `leuria:token:${url}`
  /** Calendar time in ms, so that a page loaded anew knows too. */
  const noKey = `leuria:no:${url}`
  const kept = safeStorage(() => storage ?? page.storage())
  const changes = new Listeners<string | null>()
  const get = (): string | null => kept.getItem(key) || null
  /** What listeners were last told. */
  let known = get()
  let channel: TabChannel | null = null

  const tell = (): void => {
    const token = get()
    if (token === known) return
    known = token
    changes.emit(token)
  }

  const open = (): void => {
    // The message carries the token because tabs whose storage is blocked have nothing else to share it by.
    channel ??= page.openTabChannel(key, (message) => {
      const { kind, token } = fieldsOf(message)
      if (typeof token !== 'string' || token === '') return
      const isKept = token === get()
      if (kind === 'set' && !isKept) kept.setItem(key, token)
      if (kind === 'forgot' && isKept) kept.removeItem(key)
      tell()
    })
  }

  const close = (): void => {
    channel?.close()
    channel = null
  }

  const leave = page.subscribe((signal) => {
    // An open channel keeps some browsers from caching the page; what was missed is read from the storage.
    if (signal === 'hide') close()
    else {
      if (signal === 'show') open()
      tell()
    }
  })
  open()

  return {
    get,
    set: (token) => {
      kept.setItem(key, token)
      kept.removeItem(noKey)
      channel?.postMessage({ kind: 'set', token })
      tell()
    },
    forget: (token) => {
      const stored = get()
      if (stored === null || (token ?? stored) !== stored) return
      kept.removeItem(key)
      channel?.postMessage({ kind: 'forgot', token: stored })
      tell()
    },
    declined: () => {
      kept.setItem(noKey, String(clock.date().getTime()))
    },
    isCool: () => {
      const agoMs = clock.date().getTime() - Number(kept.getItem(noKey))
      // A date that was set back must not keep the visitor waiting.
      return agoMs >= 0 && agoMs < DENIAL_COOLDOWN_MS
    },
    subscribe: (listener) => changes.add(listener),
    close: () => {
      leave()
      close()
    },
  }
}
