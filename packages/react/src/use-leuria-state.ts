/** Where the AIs of a page stand. */
import type { LeuriaState, ProviderSnapshot } from '@leuria/client'
import { useCallback } from 'react'
import { useLeuria } from './context.js'
import { unknownState } from './server-state.js'
import { useSnapshot } from './use-snapshot.js'

const whole = (state: LeuriaState): LeuriaState => state

/** The client's state, or what `selector` picks of it; renders again only when that changed. */
export function useLeuriaState(): LeuriaState
export function useLeuriaState<Part>(selector: (state: LeuriaState) => Part): Part
export function useLeuriaState(selector: (state: LeuriaState) => unknown = whole): unknown {
  return useSnapshot(useLeuria(), { select: selector, onServer: unknownState })
}

/** One provider; `null`: the client has none with this id. */
export function useProvider(id: string): ProviderSnapshot | null {
  const select = useCallback((state: LeuriaState) => state.providers.find((each) => each.id === id) ?? null, [id])
  return useLeuriaState(select)
}
