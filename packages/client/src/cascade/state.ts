/**
 * Where a client's providers stand, as a snapshot that pages render: made anew at each change, with the same objects
 * wherever nothing changed. Which provider answers is `routing`'s.
 */
import type { Provider, ProviderInfo, ProviderState } from '../provider/provider.js'
import { isSame } from '../same.js'
import { infoOf, isHeld, isReady, type Offer, offersOf, type RoutingRules } from './routing.js'

/** A provider at one moment. */
export interface ProviderSnapshot extends ProviderInfo, ProviderState {
  /** What it may be asked for at all. */
  readonly offers: readonly Offer[]
  /** It isn't ready, and a click of the visitor's may change that. */
  readonly canConnect: boolean
  /** It is ready, and has settings to open. */
  readonly canManage: boolean
}

export interface LeuriaState {
  /** All of them, in order of preference. */
  readonly providers: readonly ProviderSnapshot[]
  /** What answers a plain request now. */
  readonly active: ProviderSnapshot | null
  /** What would answer instead, once the visitor has done something. */
  readonly pending: ProviderSnapshot | null
  /** What turns texts into vectors now. */
  readonly embedder: ProviderSnapshot | null
  readonly embedPending: ProviderSnapshot | null
  /** What waits for the visitor to choose it (`chooseInstead`). */
  readonly alternatives: readonly ProviderSnapshot[]
}

function snapshotOf(provider: Provider): ProviderSnapshot {
  const ready = isReady(provider)
  return {
    ...infoOf(provider),
    ...provider.getState(),
    offers: offersOf(provider),
    canConnect: !ready && provider.connect !== undefined,
    canManage: ready && provider.manage !== undefined,
  }
}

/** Returns what makes the state; it gives what it gave before if nothing changed. */
export function createStateMaker(): (rules: RoutingRules) => LeuriaState {
  const seen = new Map<Provider, [ProviderState, ProviderSnapshot]>()
  let last: LeuriaState | undefined

  const see = (provider: Provider): ProviderSnapshot => {
    const state = provider.getState()
    const [before, kept] = seen.get(provider) ?? []
    if (kept !== undefined && before === state) return kept
    const snapshot = snapshotOf(provider)
    seen.set(provider, [state, snapshot])
    return snapshot
  }

  /** The first of these that is ready, and the first that only waits for the visitor ahead of it. */
  const firstOf = (providers: readonly Provider[], what: Offer) => {
    const offering = providers.filter((each) => offersOf(each).includes(what)).map(see)
    const at = offering.findIndex(({ status, capabilities }) => status === 'ready' && capabilities.includes(what))
    const ahead = at < 0 ? offering : offering.slice(0, at)
    return { now: offering[at] ?? null, later: ahead.find(({ status }) => status === 'needs-action') ?? null }
  }

  return (rules) => {
    const { providers } = rules
    const held = providers.filter((each) => isHeld(each, rules))
    const chat = firstOf(
      providers.filter((each) => !held.includes(each)),
      'chat',
    )
    const embed = firstOf(providers, 'embed')
    const useful: readonly string[] = ['ready', 'needs-action', 'downloading']
    const next: LeuriaState = {
      providers: same(providers.map(see), last?.providers),
      active: chat.now,
      pending: chat.later,
      embedder: embed.now,
      embedPending: embed.later,
      alternatives: same(
        held.map(see).filter(({ status }) => useful.includes(status)),
        last?.alternatives,
      ),
    }
    last = same(next, last)
    return last
  }
}

/** The old one, if it holds the same. */
function same<T extends object>(next: T, last: T | undefined): T {
  return last && isSame(next, last) ? last : next
}
