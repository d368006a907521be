/**
 * What every provider has in common: who it is, and where it stands as an immutable snapshot. What it can do is its own
 * (`detect`, `createSession` and the rest of `Provider`). Pages extend it for providers of their own.
 */
import { Listeners } from '../engine/callbacks.js'
import { isSame } from '../same.js'
import type { Locality, Provider, ProviderSession, ProviderState, SessionOptions } from './provider.js'

const UNKNOWN: ProviderState = { status: 'unknown', capabilities: [] }

export abstract class BaseProvider implements Provider {
  readonly id: string
  readonly label: string
  readonly locality: Locality
  readonly #listeners = new Listeners<void>()
  #state: ProviderState

  /** @param initialState what isn't given is `unknown`, without capabilities */
  // eslint-disable-next-line max-params -- pages written for the existing SDK call it so
  constructor(id: string, label: string, locality: Locality, initialState?: Partial<ProviderState>) {
    this.id = id
    this.label = label
    this.locality = locality
    this.#state = { ...UNKNOWN, ...initialState }
  }

  abstract detect(): Promise<void>
  abstract createSession(options: SessionOptions): Promise<ProviderSession>

  /** The same object until something changed. */
  getState(): ProviderState {
    return this.#state
  }

  /** Returns its undo. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Takes over these fields (`undefined` takes one away). Listeners are told only if that changed something. */
  protected setState(change: Partial<ProviderState>): void {
    const before = this.#state
    const next = { ...before, ...change }
    // A list made anew is no news.
    if (isSame(next.capabilities, before.capabilities)) next.capabilities = before.capabilities
    if (isSame(next, before)) return
    this.#state = next
    this.#listeners.emit()
  }
}
