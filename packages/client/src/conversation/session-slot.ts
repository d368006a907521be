/** One provider session of a conversation: what it has heard, whether it can be used again, and its end. */
import { type Clock, withDeadline } from '@leuria/clock'
import type { Message } from '../message/message.js'
import type { Provider, ProviderInfo, ProviderSession, SessionOptions } from '../provider/provider.js'

/** How long closing waits for a provider. */
const CLOSE_LIMIT_MS = 5_000

export class SessionSlot {
  readonly info: ProviderInfo
  readonly opening: Promise<ProviderSession>
  /** Once it is open. */
  session: ProviderSession | null = null
  /** The turn that it works on, also after the conversation has gone on. Never rejects. */
  busy: Promise<unknown> | null = null
  /** Its last turn failed because the provider had ended it. */
  isOver = false
  /** The provider holds answers to the schema itself. */
  readonly isNative: boolean
  /** How many of the conversation's messages it knows. */
  known: number
  readonly #provider: Provider
  readonly #clock: Clock
  readonly #abort = new AbortController()
  #warming: Promise<void> | undefined
  #closing: Promise<void> | null = null

  constructor(provider: Provider, options: SessionOptions, clock: Clock) {
    const { id, label, locality } = provider
    this.info = { id, label, locality }
    this.known = options.history.length
    this.isNative = options.schema !== undefined
    this.#provider = provider
    this.#clock = clock
    this.opening = this.#open(options)
  }

  /** It can take the next message of a conversation that has come this far. */
  fits(provider: Provider, history: readonly Message[]): boolean {
    return this.#provider === provider && this.known === history.length && !this.session?.closed
  }

  /** Gets the AI ready, once. */
  async warm(): Promise<void> {
    const session = await this.opening
    await (this.#warming ??= session.warm?.())
  }

  /** One turn, or a part of it. */
  async send(work: (session: ProviderSession) => Promise<{ text: string }>): Promise<{ text: string }> {
    const session = await this.opening
    const working = work(session)
    this.busy = working.catch(() => undefined)
    try {
      return await working
    } catch (error) {
      this.isOver = session.closed === true
      throw error
    } finally {
      this.busy = null
    }
  }

  /** Frees it, also if it opens only later. Resolves when its provider has, or takes too long. */
  close(): Promise<void> {
    this.#abort.abort()
    return (this.#closing ??= withDeadline(this.#clock, CLOSE_LIMIT_MS, this.#close()).catch(() => undefined))
  }

  /** At once where it is open: while the page is being left nothing asynchronous would. */
  async #close(): Promise<void> {
    await (this.session ?? (await this.opening)).close()
  }

  async #open(options: SessionOptions): Promise<ProviderSession> {
    return (this.session = await this.#provider.createSession({ ...options, signal: this.#abort.signal }))
  }
}
