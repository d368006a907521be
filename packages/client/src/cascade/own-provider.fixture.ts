/** A provider that stands where a test puts it. */
import { BaseProvider } from '../provider/base-provider.js'
import type { Capability, Locality, ProviderSession, ProviderState, SessionOptions } from '../provider/provider.js'

export class OwnProvider extends BaseProvider {
  offers: readonly ('chat' | 'embed')[] = ['chat']
  asksFirst = false
  detections = 0
  /** What `connect` does; a click of the visitor's. */
  onConnect: () => Promise<void> = async () => this.become({ status: 'ready' })

  constructor(id: string, state: Partial<ProviderState> = {}, locality: Locality = 'site') {
    super(id, `AI ${id}`, locality, { status: 'ready', capabilities: ['chat', 'tools'], ...state })
  }

  become(change: Partial<ProviderState>): void {
    this.setState(change)
  }

  async detect(): Promise<void> {
    this.detections += 1
  }

  connect(): Promise<void> {
    return this.onConnect()
  }

  async disconnect(): Promise<void> {
    this.become({ status: 'needs-action', action: 'connect' })
  }

  async createSession(_options: SessionOptions): Promise<ProviderSession> {
    return { send: async () => ({ text: this.id }), close: () => undefined }
  }

  async embed(texts: readonly string[]) {
    return { model: `model of ${this.id}`, vectors: texts.map((text) => [text.length]) }
  }
}

/** An AI of the visitor's: it asks first, and isn't connected. */
export function visitorsAi(state: Partial<ProviderState> = {}): OwnProvider {
  const own = new OwnProvider('bridge', { status: 'needs-action', action: 'connect', ...state }, 'device')
  own.asksFirst = true
  return own
}

export function embedderOf(id: string, state: Partial<ProviderState> = {}): OwnProvider {
  const capabilities: Capability[] = ['embed']
  const embedder = new OwnProvider(id, { capabilities, ...state }, 'device')
  embedder.offers = ['embed']
  return embedder
}
