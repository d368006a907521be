/** Which provider answers: the rules, as pure functions of the providers, where they stand, and the visitor's choice. */
import type { Provider, ProviderInfo } from '../provider/provider.js'
import type { ProviderNeeds } from './conversation-host.js'
import { NoProviderError, type ProviderReason } from './no-provider-error.js'

export interface RoutingRules {
  /** In order of preference. */
  readonly providers: readonly Provider[]
  /** What the visitor chose instead of the AI that asks first. */
  readonly chosen?: string
  /** `auto`: nothing waits. */
  readonly fallback: 'ask' | 'auto'
}

export type Offer = 'chat' | 'embed'

export function isReady(provider: Provider): boolean {
  return provider.getState().status === 'ready'
}

export function offersOf({ offers = ['chat'] }: Provider): readonly Offer[] {
  return offers
}

export function infoOf({ id, label, locality }: ProviderInfo): ProviderInfo {
  return { id, label, locality }
}

/** It could chat, but comes after one that asks first and isn't ready: only the visitor may pass that one over. */
export function isHeld(provider: Provider, { providers, chosen, fallback }: RoutingRules): boolean {
  if (fallback === 'auto' || provider.id === chosen || !offersOf(provider).includes('chat')) return false
  return providers.slice(0, providers.indexOf(provider)).some((each) => each.asksFirst === true && !isReady(each))
}

/** What this provider lacks, whatever its state. `null`: nothing. */
function lackOf(provider: Provider, { capabilities, hasSchema, localOnly }: ProviderNeeds): string | null {
  const offers = offersOf(provider)
  const can = provider.getState().capabilities
  const isEmbed = capabilities.includes('embed')
  if (!offers.includes(isEmbed ? 'embed' : 'chat')) return `only for ${offers.join()}`
  if (localOnly === true && provider.locality !== 'device') return 'not on this device'
  // What isn't ready may not know yet what it can do, and learns of embedding models last.
  if (!isReady(provider) && (isEmbed || can.length === 0)) return null
  const missing = capabilities.filter((each) => !can.includes(each))
  if (hasSchema && !can.includes('structured') && !can.includes('tools')) missing.push('structured')
  return missing.length > 0 ? `lacks ${missing.join()}` : null
}

/** The first provider that is ready, able and allowed. @throws NoProviderError */
export function pickProvider(rules: RoutingRules, needs: ProviderNeeds): Provider {
  const named = needs.provider === undefined ? null : [needs.provider].flat()
  const order = named?.flatMap((id) => rules.providers.filter((each) => each.id === id)) ?? rules.providers
  const reasons: ProviderReason[] = []
  const choices: ProviderInfo[] = []
  let actionable = false
  for (const provider of order) {
    const { id, label } = provider
    const state = provider.getState()
    const held = named === null && !needs.capabilities.includes('embed') && isHeld(provider, rules)
    const lack = lackOf(provider, needs)
    const reason = lack ?? (held ? 'waits for the visitor to choose it' : isReady(provider) ? null : state.status)
    if (reason === null) return provider
    reasons.push({ id, label, state, reason })
    if (lack !== null) continue
    const isUseful = isReady(provider) || state.status === 'needs-action'
    if (held && isUseful) choices.push(infoOf(provider))
    actionable ||= isUseful
  }
  throw new NoProviderError({ needs, reasons, choices, actionable })
}
