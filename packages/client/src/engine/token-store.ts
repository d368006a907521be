/**
 * The one grant token of this site at this engine, shared by all its tabs. Owns the storage key and the talk between tabs;
 * what a change means is the connection's business.
 */
import { Listeners } from './callbacks.js'
import type { PageHost, TabChannel } from './page-host.js'
import { safeStorage, type TokenStorage } from './token-storage.js'
import { asText, isFields } from './unknown-value.js'

export interface TokenChange {
  token: string | null
  /** Another tab did it. */
  elsewhere: boolean
}

export interface TokenStoreOptions {
  /** The engine's base URL without slashes at the end. */
  url: string
  page: PageHost
  /** @default the page's localStorage */
  storage?: TokenStorage
}

export class TokenStore {
  readonly #key: string
  readonly #page: PageHost
  readonly #storage: TokenStorage
  readonly #changes = new Listeners<TokenChange>()
  readonly #leavePage: () => void
  #channel: TabChannel | null
  /** What listeners were last told. */
  #known: string | null

  constructor({ url, page, storage }: TokenStoreOptions) {
    this.#key = `leuria:token:${url}`
    this.#page = page
    this.#storage = safeStorage(() => storage ?? page.storage())
    this.#known = this.get()
    this.#channel = this.#openChannel()
    this.#leavePage = page.subscribe((signal) => {
      // An open channel keeps some browsers from caching the page; what was missed is read from the storage.
      if (signal === 'hide') this.#closeChannel()
      if (signal === 'show') this.#channel ??= this.#openChannel()
      if (signal !== 'hide') this.#reread()
    })
  }

  get(): string | null {
    const token = this.#storage.getItem(this.#key)
    return token === null || token === '' ? null : token
  }

  set(token: string): void {
    this.#storage.setItem(this.#key, token)
    this.#channel?.postMessage({ kind: 'set', token })
    this.#tell(token, false)
  }

  /**
   * Drops the token. With `token`, only if that one is still stored: a late refusal of an old token
   * must not cost the site the new one.
   */
  forget(token?: string): void {
    const stored = this.get()
    if (stored === null || (token !== undefined && token !== stored)) return
    this.#storage.removeItem(this.#key)
    this.#channel?.postMessage({ kind: 'forgot', token: stored })
    this.#tell(null, false)
  }

  /** Returns its undo. */
  subscribe(listener: (change: TokenChange) => void): () => void {
    return this.#changes.add(listener)
  }

  close(): void {
    this.#leavePage()
    this.#closeChannel()
  }

  #openChannel(): TabChannel | null {
    return this.#page.openTabChannel(this.#key, (message) => {
      this.#onMessage(message)
    })
  }

  #closeChannel(): void {
    this.#channel?.close()
    this.#channel = null
  }

  /** The message carries the token because tabs whose storage is blocked have nothing else to share it by. */
  #onMessage(message: unknown): void {
    if (!isFields(message)) return
    const token = asText(message.token)
    if (token === undefined || token === '') return
    if (message.kind === 'set' && this.get() !== token) this.#storage.setItem(this.#key, token)
    if (message.kind === 'forgot' && this.get() === token) this.#storage.removeItem(this.#key)
    this.#reread()
  }

  #reread(): void {
    this.#tell(this.get(), true)
  }

  #tell(token: string | null, elsewhere: boolean): void {
    if (token === this.#known) return
    this.#known = token
    this.#changes.emit({ token, elsewhere })
  }
}
