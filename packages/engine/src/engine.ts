/** An engine: its server, and what answers behind it, closed in the other order than they were opened. */
import type { GrantStore } from '@leuria/grant-store'
import type { Pairing } from '@leuria/pairing'
import type { ProcessEvent } from '@leuria/protocol'
import { DEFAULT_PORT } from '@leuria/protocol/browser'
import type { SessionManager } from '@leuria/session-manager'
import type { Relay, RelayChannel } from '@leuria/webmcp-relay'
import type { Usage } from '@leuria/usage'
import { Address } from './address.js'
import { type EngineOptions, type Settings, withDefaults } from './engine-options.js'
import { firstLook } from './first-look.js'
import { Door } from './http/door.js'
import { type Listener, listen } from './http/listen.js'
import { isForPrograms, toProcessEvent } from './process-events.js'
import type { AdminDesk } from './admin-desk.js'
import type { Backstage } from './backstage.js'

/** A running engine. Whoever made it closes it. */
export interface Engine {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** The default AI's plain name. */
  readonly agentName: string
  readonly grants: GrantStore
  readonly pairing: Pairing
  readonly sessions: SessionManager<RelayChannel>
  readonly relay: Relay
  /** What each site uses, and the limits the visitor set it. */
  readonly usage: Usage
  /** Page sockets that are open right now. */
  readonly openSockets: number
  /** Tells of questions and answers; in app mode also of what changed about AIs. Returns its undo. */
  subscribe(listener: (event: ProcessEvent) => void): () => void
  /** Ends every session, answers what is open, closes every socket and file. Idempotent. */
  close(): Promise<void>
}

interface Running {
  backstage: Backstage
  listener: Listener
  address: Address
  desk: AdminDesk | null
}

async function shutDown({ backstage, listener }: Running): Promise<void> {
  const stopped = listener.close()
  await backstage.close()
  await stopped
  await backstage.leave()
}

function present(running: Running): Engine {
  const { backstage, address, desk } = running
  const { home, parts } = backstage
  let closed: Promise<void> | undefined
  return {
    port: address.port,
    url: address.url,
    get agentName() {
      return parts.agents.nameFor(null)
    },
    grants: home.grants,
    pairing: parts.pairing,
    sessions: parts.sessions,
    relay: parts.relay,
    usage: home.usage,
    get openSockets() {
      return backstage.openSockets
    },
    subscribe: (listener) => {
      const undo = parts.pairing.subscribe((event) => {
        const known = toProcessEvent(event, address.url)
        if (known !== null) listener(known)
      })
      const undoFeed = desk?.feed.subscribe((event) => {
        if (isForPrograms(event)) listener(event)
      })
      return () => {
        undo()
        undoFeed?.()
      }
    },
    close() {
      closed ??= shutDown(running)
      return closed
    },
  }
}

/**
 * Listens before most of the code is loaded, which takes longer than all the rest of a start, where a first look is enough
 * to say so. Else everything is opened before: nobody is told of an engine that won't run.
 */
async function startOn({ settings, desk }: Staged): Promise<Engine> {
  const address = new Address()
  const door = new Door()
  const load = async (): Promise<Backstage> =>
    (await import('./backstage.js')).openBackstage(settings, { address, desk })
  const seen = await firstLook(settings)
  let backstage = seen === null ? await load() : null
  let listener: Listener | null = null
  try {
    listener = await listen({
      port: settings.port ?? seen?.port ?? backstage?.home.config.value.port ?? DEFAULT_PORT,
      clock: settings.clock,
      silent: settings.mode === 'app',
      onRequest: door.onRequest,
      onUpgrade: door.onUpgrade,
    })
    address.set(listener.port)
    const agentName = seen?.agentName ?? backstage?.parts.agents.nameFor(null) ?? ''
    settings.listening?.({ port: address.port, url: address.url, agentName })
    backstage ??= await load()
    backstage.enter()
    const { behind } = backstage
    // Whoever made the engine listens to what happens by then.
    setImmediate(() => {
      door.open(behind)
    })
    return present({ address, desk, backstage, listener })
  } catch (error) {
    door.open(null)
    await Promise.all([listener?.close(), backstage?.close()])
    await backstage?.leave()
    throw error
  }
}

interface Staged {
  settings: Settings
  desk: AdminDesk | null
}

/** For the desktop app's window, which only some engines have. */
async function openDesk(settings: Settings): Promise<Staged> {
  if (settings.mode !== 'app') return { settings, desk: null }
  const { openAdminDesk } = await import('./admin-desk.js')
  return openAdminDesk(settings)
}

/**
 * Starts an engine on 127.0.0.1.
 * @throws ListenError when the port can't be had; StateError when the home can't be used; EngineError `not_found` for an
 * unknown `defaultAgent`
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  return startOn(await openDesk(withDefaults(options)))
}
