/** The client that the hooks below a provider use. */
import type { Leuria } from '@leuria/client'
import { createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react'

export const LeuriaContext = createContext<Leuria | null>(null)

export interface LeuriaProviderProps {
  /** Make it once, outside of components; who made it ends it (`destroy`). */
  readonly client: Leuria
  readonly children?: ReactNode
}

export function LeuriaProvider({ client, children }: LeuriaProviderProps): ReactElement {
  return createElement(LeuriaContext.Provider, { value: client }, children)
}

/** The client of the nearest `LeuriaProvider`. @throws outside of one */
export function useLeuria(): Leuria {
  const client = useContext(LeuriaContext)
  if (client === null) throw new Error('This hook needs a <LeuriaProvider client={…}> above its component.')
  return client
}
