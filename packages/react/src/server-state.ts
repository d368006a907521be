/** How things stand for a server: nobody's AI is known there. A page shows the same until it is hydrated. */
import type { LeuriaConnectionState, LeuriaState, ProviderSnapshot } from '@leuria/client'

export function unknownProvider({ id, label, locality, offers }: ProviderSnapshot): ProviderSnapshot {
  return { id, label, locality, offers, status: 'unknown', capabilities: [], canConnect: false, canManage: false }
}

export function unknownState({ providers }: LeuriaState): LeuriaState {
  return {
    providers: providers.map(unknownProvider),
    active: null,
    pending: null,
    embedder: null,
    embedPending: null,
    alternatives: [],
  }
}

export function unknownConnection({ provider }: LeuriaConnectionState): LeuriaConnectionState {
  return { status: 'checking', provider: provider && unknownProvider(provider), error: null, alternatives: [] }
}
