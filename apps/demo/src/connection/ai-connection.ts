/**
 * This shop's connection to the visitor's AI: what the SDK knows (`connection`), and the one thing that only a page can
 * say, namely that the visitor took the access back elsewhere.
 */
import type { Leuria, LeuriaConnection, LeuriaConnectionState } from '@leuria/client'
import { createStore, type Store } from '../store.js'
import type { ConnectionAction, ConnectionFacts } from './connection-words.js'

export interface AiConnection {
  readonly facts: Pick<Store<ConnectionFacts>, 'get' | 'subscribe'>
  /** Carries out what a button says. Call it in the click itself: connecting opens a link. */
  act(action: ConnectionAction): void
  /** Asks the engine now how this site stands. */
  check(): Promise<ConnectionFacts>
  /** Hears when the access was taken back. */
  onWithdrawn(listener: () => void): void
}

export interface AiConnectionOptions {
  client: Pick<Leuria, 'detect'>
  /** The client's `connection`. */
  link: Pick<LeuriaConnection, 'getState' | 'subscribe' | 'connect' | 'retry' | 'disconnect'>
}

export function createAiConnection({ client, link }: AiConnectionOptions): AiConnection {
  const first = link.getState()
  const facts = createStore<ConnectionFacts>({
    state: first,
    isWithdrawn: false,
    wasConnected: first.status === 'checking' || first.status === 'connected',
  })
  let leaving = false
  let withdrawn: () => void = () => undefined

  link.subscribe(() => {
    const before = facts.get()
    const state = link.getState()
    const isWithdrawn = wasTakenBack(before, state, leaving)
    const isConnected = state.status === 'connected'
    const keeps = isConnected || state.status === 'checking' || state.status === 'not-running'
    facts.set({ state, isWithdrawn, wasConnected: isConnected || (before.wasConnected && keeps) })
    if (isWithdrawn && !before.isWithdrawn) withdrawn()
  })

  return {
    facts,
    async check() {
      await client.detect()
      return facts.get()
    },
    onWithdrawn(listener) {
      withdrawn = listener
    },
    act(action) {
      switch (action) {
        case 'connect':
          link.connect()
          break
        case 'check_again':
          link.retry()
          break
        case 'cancel':
        case 'disconnect':
          leaving = true
          link.disconnect()
          leaving = false
          break
      }
    },
  }
}

/** From having access to having none, without having left: the visitor took it back. It stays said until a new attempt. */
function wasTakenBack(before: ConnectionFacts, { status }: LeuriaConnectionState, leaving: boolean): boolean {
  if (status !== 'not-connected' || leaving) return false
  return before.isWithdrawn || before.wasConnected
}
