/**
 * This shop's connection to the visitor's AI: what the client knows, and what the page must notice by itself, namely that
 * the visitor took the access back elsewhere. Looks again while the page is seen.
 */
import type { BridgeClient, ConnectionState } from '@leuria/client'
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

/** What of the client is used; tests play it. */
export type ConnectionClient = Pick<BridgeClient, 'getState' | 'subscribe' | 'detect' | 'connect' | 'forget'>

/** How the page is looked at, and time. */
export interface PageWatch {
  isVisible(): boolean
  /** Calls back when the page is looked at again. */
  onVisible(listener: () => void): void
  every(ms: number, run: () => void): void
}

/** A visitor who disconnects the shop elsewhere and comes back should see it at once. */
const CHECK_EVERY_MS = 4_000

export interface AiConnectionOptions {
  client: ConnectionClient
  watch: PageWatch
  /** Whether connecting opens a `leuria:` link: only an app can receive one. @default true */
  opensLink?: boolean
}

export function createAiConnection({ client, watch, opensLink = true }: AiConnectionOptions): AiConnection {
  const facts = createStore<ConnectionFacts>({
    state: client.getState(),
    isWithdrawn: false,
    wasConnected: client.getState().status === 'checking',
    isUnsupported: false,
  })
  let leaving = false
  let cancel: AbortController | null = null
  let withdrawn: () => void = () => undefined

  const onState = (state: ConnectionState): void => {
    const before = facts.get()
    const hadAccess = before.wasConnected || before.state.status === 'connected'
    const isWithdrawn = wasTakenBack(before, state, leaving)
    const keeps = state.status === 'connected' || state.status === 'checking' || state.status === 'not-running'
    const wasConnected = state.status === 'connected' || (hadAccess && keeps)
    facts.set({ ...before, state, isWithdrawn, wasConnected })
    if (isWithdrawn && !before.isWithdrawn) withdrawn()
    // A token that has just come says nothing of the AI behind it.
    if (state.status === 'connected' && state.agent === undefined && before.state.status !== 'connected') void check()
  }
  client.subscribe(onState)

  const check = async (): Promise<ConnectionFacts> => {
    await client.detect()
    return facts.get()
  }
  const look = (): void => {
    if (watch.isVisible() && facts.get().wasConnected) void check()
  }
  look()
  watch.onVisible(look)
  watch.every(CHECK_EVERY_MS, look)

  return {
    facts,
    check,
    onWithdrawn(listener) {
      withdrawn = listener
    },
    act(action) {
      switch (action) {
        case 'connect':
          cancel = new AbortController()
          // How it ends is in the client's state, but for a device that can't even begin.
          client.connect({ signal: cancel.signal, openLink: opensLink }).catch((error: unknown) => {
            const isUnsupported = error instanceof Error && 'code' in error && error.code === 'unsupported_device'
            if (isUnsupported) facts.update((known) => ({ ...known, isUnsupported }))
          })
          break
        case 'cancel':
          cancel?.abort()
          break
        case 'check_again':
          void check()
          break
        case 'disconnect':
          leaving = true
          client.forget()
          leaving = false
          break
      }
    },
  }
}

/** From having access to having none, without having left: the visitor took it back. It stays said until a new attempt. */
function wasTakenBack(before: ConnectionFacts, { status }: ConnectionState, leaving: boolean): boolean {
  if (status !== 'not-connected' || leaving) return false
  return before.isWithdrawn || before.wasConnected
}
