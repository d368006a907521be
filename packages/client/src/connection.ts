/**
 * Connecting, as a page shows it: one shared object a client and provider, in the few words that a button needs.
 * Everything that must happen inside the visitor's click does: nothing is awaited before the link is opened.
 */
import type { Leuria } from './cascade/leuria.js'
import type { ProviderSnapshot } from './cascade/state.js'
import type { ConnectionStatus } from './engine/connection-state.js'
import { Listeners } from './engine/callbacks.js'
import { type LeuriaError, LeuriaNotRunningError } from './errors.js'
import { isSame } from './same.js'

export interface LeuriaConnectionState {
  readonly status: ConnectionStatus
  /** `null`: the client has no such provider. */
  readonly provider: ProviderSnapshot | null
  /** What answers, once connected. */
  readonly model?: string
  /** Why the last click came to nothing. */
  readonly error: LeuriaError | null
  /** What the visitor could choose instead. */
  readonly alternatives: readonly ProviderSnapshot[]
}

export interface LeuriaConnection {
  /** The same object until something changed. */
  getState(): LeuriaConnectionState
  /** Returns its undo. */
  subscribe(listener: () => void): () => void
  /** Call it directly in a click handler. While the visitor is being asked another click does nothing. */
  connect(): void
  /** After `not-running` or `declined`: looks again, or asks again. Call it directly in a click handler. */
  retry(): void
  disconnect(): void
  /** Opens the site's settings in Leuria. Call it directly in a click handler. */
  manage(): void
  readonly canManage: boolean
  chooseInstead(id: string): void
}

const made = new WeakMap<Leuria, Map<string, LeuriaConnection>>()

/** @param id which provider @default 'bridge' */
export function connection(client: Leuria, id = 'bridge'): LeuriaConnection {
  const all = made.get(client) ?? new Map<string, LeuriaConnection>()
  made.set(client, all)
  const one = all.get(id) ?? createConnection(client, id)
  all.set(id, one)
  return one
}

function readStatus(client: Leuria, id: string, provider: ProviderSnapshot | null): ConnectionStatus {
  const attempt = client.attempt(id)
  switch (provider?.status) {
    case 'ready':
      return 'connected'
    case 'unavailable':
      return 'not-running'
    case 'downloading':
      return 'connecting'
    default:
  }
  if (attempt !== undefined) {
    if (attempt.error === undefined) return 'connecting'
    return attempt.error instanceof LeuriaNotRunningError ? 'not-running' : 'declined'
  }
  return provider === null || provider.status === 'needs-action' ? 'not-connected' : 'checking'
}

function createConnection(client: Leuria, id: string): LeuriaConnection {
  const listeners = new Listeners<void>()

  const read = (): LeuriaConnectionState => {
    const { providers, alternatives } = client.getState()
    const provider = providers.find((each) => each.id === id) ?? null
    const status = readStatus(client, id, provider)
    const error = client.attempt(id)?.error ?? null
    return { status, provider, model: status === 'connected' ? provider?.model : undefined, error, alternatives }
  }

  let state = read()
  client.subscribe(() => {
    const next = read()
    if (isSame(next, state)) return
    state = next
    listeners.emit()
  })

  const connect = (): void => {
    if (state.status !== 'connecting') void client.connect(id)
  }

  return {
    getState: () => state,
    subscribe: (listener) => listeners.add(listener),
    connect,
    retry: () => {
      // Connected before, and Leuria is just not there: the visitor need not be asked again.
      if (state.status === 'not-running' && client.attempt(id) === undefined) void client.detect()
      else connect()
    },
    disconnect: () => void client.disconnect(id),
    manage: () => client.provider(id)?.manage?.(),
    get canManage() {
      return state.provider?.canManage === true
    },
    chooseInstead: (other) => {
      client.chooseInstead(other)
    },
  }
}
