/** Nobody can answer: what was asked for, why each provider doesn't do it, and what the visitor could change. */
import { LeuriaError } from '../errors.js'
import type { ProviderInfo, ProviderState } from '../provider/provider.js'
import type { ProviderNeeds } from './conversation-host.js'

/** Why one provider doesn't answer. */
export interface ProviderReason {
  readonly id: string
  readonly label: string
  readonly state: ProviderState
  /** For developers. */
  readonly reason: string
}

export interface NoProviderFacts {
  readonly needs: ProviderNeeds
  /** In order of preference. */
  readonly reasons: readonly ProviderReason[]
  /** Those that would answer if the visitor chose them (`chooseInstead`). */
  readonly choices: readonly ProviderInfo[]
  /** True: the visitor can connect, download or choose something that would answer. */
  readonly actionable: boolean
}

/** No provider can answer this now. `code` is `no_provider`. */
export class NoProviderError extends LeuriaError implements NoProviderFacts {
  override name = 'NoProviderError'
  declare readonly needs: ProviderNeeds
  declare readonly reasons: readonly ProviderReason[]
  declare readonly choices: readonly ProviderInfo[]
  declare readonly actionable: boolean

  constructor(facts: NoProviderFacts) {
    const detail = facts.reasons.map(({ id, reason }) => `${id}: ${reason}`).join('; ')
    super(facts.actionable ? 'An AI has to be connected first.' : 'No AI is available right now.', {
      code: 'no_provider',
      detail,
      cause: detail,
    })
    Object.assign(this, facts)
  }
}
