/** What a conversation needs of the client it belongs to: the seam between `conversation/` and `cascade/`. Shapes only. */
import type { Clock } from '@leuria/clock'
import type { RunEvent } from '../conversation/run-event.js'
import type { Capability, Provider } from '../provider/provider.js'
import type { Middleware } from '../tool/tool.js'

/** Who may answer. */
export interface Routing {
  /** Only what stays on this device. */
  localOnly?: boolean
  /** An id, or ids in order of preference; waiting rules don't hold for named ones. */
  provider?: string | readonly string[]
}

export interface ProviderNeeds extends Routing {
  /** All of these. */
  capabilities: readonly Capability[]
  /** The answer has a shape: a provider with `structured` or with `tools`. */
  hasSchema: boolean
}

export interface ConversationHost {
  readonly clock: Clock
  /** The client's own layers, outermost first. */
  readonly middleware: readonly Middleware[]
  /** The first provider that is ready, able and allowed. @throws NoProviderError */
  pick(needs: ProviderNeeds): Provider
  /** Every event of every run, for `client.on`. */
  emit(event: RunEvent): void
  /** Closed by `closeAll`, when the page is left, and by `destroy`. Returns its undo. */
  register(conversation: { close(): Promise<void> | void }): () => void
}
