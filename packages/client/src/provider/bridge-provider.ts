/**
 * The visitor's own AI, through the engine on their computer. Tells where the connection stands in a provider's words;
 * the connection is `BridgeClient`'s, one conversation's session is `bridge-talk`'s.
 */
import { type Clock, systemClock } from '@leuria/clock'
import type { BridgeClientOptions } from '../engine/bridge-client.js'
import { BridgeClient } from '../engine/bridge-client.js'
import type { ConnectionState, ConnectionStatus } from '../engine/connection-state.js'
import { LeuriaError } from '../errors.js'
import { BaseProvider } from './base-provider.js'
import type {
  Capability,
  Embedding,
  EmbedRequest,
  ProviderSession,
  ProviderState,
  ProviderStatus,
  SessionOptions,
} from './provider.js'
import { loadLater } from '../load-later.js'

export interface BridgeOptions extends Omit<BridgeClientOptions, 'closeOnUnload'> {
  /** @default 'bridge' */
  id?: string
}

const STATUS: Readonly<Record<ConnectionStatus, ProviderStatus>> = {
  checking: 'unknown',
  'not-connected': 'needs-action',
  connecting: 'needs-action',
  'not-running': 'unavailable',
  declined: 'needs-action',
  connected: 'ready',
}

const CAPABILITIES: readonly Capability[] = ['chat', 'tools', 'agent', 'images']

function stateOf({ status, agent, embed, error }: ConnectionState): ProviderState {
  return {
    status: STATUS[status],
    capabilities: embed === undefined ? CAPABILITIES : [...CAPABILITIES, 'embed'],
    model: agent,
    embedModel: embed,
    action: STATUS[status] === 'needs-action' ? 'connect' : undefined,
    detail: error?.message,
  }
}

/** Made by `bridge`. Sends nothing at all while the visitor hasn't connected this site. */
export class BridgeProvider extends BaseProvider {
  readonly offers = ['chat', 'embed'] as const
  readonly asksFirst = true
  readonly #client: BridgeClient
  readonly #clock: Clock
  #detecting?: Promise<void>

  /** @throws LeuriaError `bad_url` */
  constructor({ id = 'bridge', ...options }: BridgeOptions = {}) {
    // Whoever owns the conversations closes them when the page is left.
    const client = new BridgeClient({ ...options, closeOnUnload: false })
    super(id, 'Your AI (Leuria)', 'device', stateOf(client.getState()))
    this.#client = client
    this.#clock = options.clock ?? systemClock
    client.subscribe((state) => {
      this.setState(stateOf(state))
    })
  }

  detect(): Promise<void> {
    this.#detecting ??= this.#client.detect().then(() => {
      this.#detecting = undefined
    })
    return this.#detecting
  }

  /** Resolves once the visitor has said yes. The attempt outlives the news that Leuria isn't running. @throws as `BridgeClient.connect` */
  async connect(): Promise<void> {
    await this.#client.connect({ onUnreached: () => undefined })
    await this.detect()
  }

  async disconnect(): Promise<void> {
    this.#client.forget()
  }

  manage(): void {
    this.#client.manage()
  }

  async createSession(options: SessionOptions): Promise<ProviderSession> {
    const { BridgeTalk } = await loadLater()
    return new BridgeTalk({ ...options, client: this.#client, clock: this.#clock })
  }

  /** @throws as `BridgeClient.embed` */
  async embed(texts: readonly string[], request: EmbedRequest): Promise<Embedding> {
    try {
      return await this.#client.embed(texts, request)
    } catch (error) {
      // The visitor's local model is gone: so that nobody is sent here again.
      if (error instanceof LeuriaError && error.code === 'no_embedder') void this.detect()
      throw error
    }
  }

  destroy(): void {
    this.#client.destroy()
  }
}

/** The visitor's own AI. @throws LeuriaError `bad_url` */
export function bridge(options?: BridgeOptions): BridgeProvider {
  return new BridgeProvider(options)
}
