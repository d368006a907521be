/** Keeps one provider session for a conversation: opens it when it is needed, and another when that one can't be used. */
import { type Clock, withDeadline } from '@leuria/clock'
import type { Message } from '../message/message.js'
import type { Provider, ProviderSession, SessionOptions } from '../provider/provider.js'
import { SESSION_STEPS, type SessionStatus, type SessionStep } from './conversation-state.js'
import { SessionSlot } from './session-slot.js'

export interface SessionKeeperParts {
  readonly clock: Clock
  sessionOptions(history: readonly Message[], isNative: boolean): SessionOptions
  changed(): void
}

/** How long a session may take to settle after its turn was stopped, before it is given up. */
const SETTLE_LIMIT_MS = 10_000
/** How long closing waits for a provider. */
const CLOSE_LIMIT_MS = 5_000

export class SessionKeeper {
  readonly #parts: SessionKeeperParts
  #slot: SessionSlot | null = null
  #status: SessionStatus = 'none'

  constructor(parts: SessionKeeperParts) {
    this.#parts = parts
  }

  get slot(): SessionSlot | null {
    return this.#slot
  }

  get status(): SessionStatus {
    return this.#status
  }

  /** Waits for a turn that was stopped; a session that doesn't settle is given up. `null`: nothing to wait for. */
  settle(): Promise<void> | null {
    const slot = this.#slot
    if (!slot?.busy) return null
    const settled = withDeadline(this.#parts.clock, SETTLE_LIMIT_MS, slot.busy)
    return settled.then(
      () => undefined,
      () => {
        void this.drop(slot)
      },
    )
  }

  /** The session that continues this history with this provider: the one at hand, or a new one. */
  use(provider: Provider, history: readonly Message[]): SessionSlot {
    const old = this.#slot
    if (old?.fits(provider, history)) return old
    void this.drop(old)
    const isNative = provider.getState().capabilities.includes('structured')
    const options = this.#parts.sessionOptions(history, isNative)
    const slot = (this.#slot = new SessionSlot(provider, { ...options, isNative }))
    this.#step('open')
    slot.opening.then(
      () => {
        if (this.#slot === slot) this.#step('opened')
      },
      () => {
        void this.drop(slot)
      },
    )
    return slot
  }

  /** Gets the AI behind a session ready, once. */
  async warm(slot: SessionSlot): Promise<void> {
    const session = await slot.opening
    try {
      await (slot.warming ??= session.warm?.())
    } catch (error) {
      if (!slot.busy) void this.drop(slot)
      throw error
    }
  }

  /** A turn is over, and the conversation has come this far. A session that hasn't heard of it is of no use any more. */
  heard(by: SessionSlot | null, length: number): void {
    const slot = this.#slot
    if (slot && slot === by) slot.known = length
    else if (slot && slot.known !== length) void this.drop(slot)
  }

  /** One turn, or a part of it. A session that fails is given up. */
  async send(
    slot: SessionSlot,
    work: (session: ProviderSession) => Promise<{ text: string }>,
  ): Promise<{ text: string }> {
    const session = await slot.opening
    const working = work(session)
    slot.busy = working.catch(() => undefined)
    try {
      return await working
    } catch (error) {
      void this.drop(slot)
      throw error
    } finally {
      slot.busy = null
    }
  }

  /** Frees a session. Resolves when its provider has, or takes too long. */
  async drop(slot = this.#slot): Promise<void> {
    if (!slot) return
    if (slot === this.#slot) {
      this.#slot = null
      this.#step('drop')
    }
    await withDeadline(this.#parts.clock, CLOSE_LIMIT_MS, slot.close()).catch(() => undefined)
  }

  #step(step: SessionStep): void {
    this.#status = SESSION_STEPS[this.#status][step]
    this.#parts.changed()
  }
}
