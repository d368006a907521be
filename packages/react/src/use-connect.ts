/** Connecting the visitor's own AI with controls of the page's own. */
import { connection, type LeuriaConnection, type LeuriaConnectionState } from '@leuria/client'
import { useMemo } from 'react'
import { useLeuria } from './context.js'
import { unknownConnection } from './server-state.js'
import { useSnapshot } from './use-snapshot.js'

export type UseConnectResult = LeuriaConnectionState &
  Pick<LeuriaConnection, 'connect' | 'retry' | 'disconnect' | 'manage' | 'canManage' | 'chooseInstead'>

const whole = (state: LeuriaConnectionState): LeuriaConnectionState => state

/**
 * State and actions of the connection that `@leuria/connect`'s button shows; the actions keep their identity. Call `connect`,
 * `retry` and `manage` directly in a click handler: they open a link.
 * @param id which provider @default 'bridge'
 */
export function useConnect(id?: string): UseConnectResult {
  const client = useLeuria()
  const one = useMemo(() => connection(client, id), [client, id])
  const state = useSnapshot(one, { select: whole, onServer: unknownConnection })
  const actions = useMemo(
    () => ({
      connect: () => one.connect(),
      retry: () => one.retry(),
      disconnect: () => one.disconnect(),
      manage: () => one.manage(),
      chooseInstead: (other: string) => one.chooseInstead(other),
    }),
    [one],
  )
  return { ...state, ...actions, canManage: state.provider?.canManage === true }
}
