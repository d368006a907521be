/** The provider's session behind a conversation: who holds it, what it has heard, whether it can be used again. */
import type { Message } from '../message/message.js'
import type { Provider, ProviderInfo, ProviderSession, SessionOptions } from '../provider/provider.js'

export class SessionSlot {
  readonly provider: Provider
  readonly info: ProviderInfo
  /** The provider holds answers to a schema itself. */
  readonly isNative: boolean
  readonly opening: Promise<ProviderSession>
  /** Once it is open. */
  session: ProviderSession | null = null
  /** How many of the conversation's messages it knows. */
  known: number
  /** The turn that it works on, also after the conversation has gone on. Never rejects. */
  busy: Promise<unknown> | null = null
  warming: Promise<void> | undefined
  readonly #abort = new AbortController()
  #closing: Promise<void> | undefined

  constructor(provider: Provider, options: SessionOptions & { isNative: boolean }) {
    const { isNative, ...sessionOptions } = options
    const { id, label, locality } = provider
    this.provider = provider
    this.info = { id, label, locality }
    this.isNative = isNative
    this.known = options.history.length
    this.opening = this.#open(sessionOptions)
    this.opening.catch(() => undefined)
  }

  /** It can take the next message of a conversation that has come this far. */
  fits(provider: Provider, history: readonly Message[]): boolean {
    return this.provider === provider && this.known === history.length && !this.session?.closed
  }

  /** Frees it, also if it only opens later. Never rejects. */
  close(): Promise<void> {
    this.#abort.abort()
    return (this.#closing ??= this.#close().catch(() => undefined))
  }

  /** At once where it is open: while the page is being left nothing asynchronous would. */
  async #close(): Promise<void> {
    await (this.session ?? (await this.opening)).close()
  }

  async #open(options: SessionOptions): Promise<ProviderSession> {
    return (this.session = await this.provider.createSession({ ...options, signal: this.#abort.signal }))
  }
}
