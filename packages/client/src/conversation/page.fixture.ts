/** The client around a conversation, as small as it can be: a clock, layers, and providers in order of preference. */
import { type FakeClock, fakeClock } from '@leuria/testing'
import type { ConversationHost, ProviderNeeds } from '../cascade/conversation-host.js'
import { LeuriaError } from '../errors.js'
import type { Provider } from '../provider/provider.js'
import type { Middleware } from '../tool/tool.js'
import { Conversation } from './conversation.js'
import type { ConversationOptions } from './conversation-options.js'
import type { RunEvent } from './run-event.js'

export class FakePage implements ConversationHost {
  readonly clock: FakeClock = fakeClock()
  readonly middleware: Middleware[] = []
  readonly events: RunEvent[] = []
  readonly needs: ProviderNeeds[] = []
  readonly open = new Set<{ close(): Promise<void> | void }>()
  readonly #providers: readonly Provider[]

  constructor(...providers: Provider[]) {
    this.#providers = providers
  }

  conversation(options?: ConversationOptions): Conversation {
    return new Conversation(this, options)
  }

  pick(needs: ProviderNeeds): Provider {
    this.needs.push(needs)
    const found = this.#providers.find((provider) => {
      const { status, capabilities } = provider.getState()
      return status === 'ready' && needs.capabilities.every((each) => capabilities.includes(each))
    })
    if (!found) throw new LeuriaError('No AI is ready.', { code: 'no_provider' })
    return found
  }

  emit(event: RunEvent): void {
    this.events.push(event)
  }

  register(conversation: { close(): Promise<void> | void }): () => void {
    this.open.add(conversation)
    return () => this.open.delete(conversation)
  }
}
