/** An engine: files, parts, gate, routes and server, opened in that order and closed in the other. */
import type { GrantStore } from '@leuria/grant-store'
import type { Pairing } from '@leuria/pairing'
import { DEFAULT_PORT, type ProcessEvent } from '@leuria/protocol'
import type { SessionManager } from '@leuria/session-manager'
import type { Relay, RelayChannel } from '@leuria/webmcp-relay'
import type { Usage } from '@leuria/usage'
import { Address } from './address.js'
import { type EngineOptions, type Settings, withDefaults } from './engine-options.js'
import { type Home, openHome } from './home.js'
import { createGate, type Gate } from './http/gate.js'
import { type Listener, listen } from './http/listen.js'
import { createRequestHandler } from './http/request-handler.js'
import { createRouter, type Router } from './http/router.js'
import { createUpgradeHandler, type UpgradeHandler } from './http/upgrade-handler.js'
import { type NamedHere, nameEngine } from './other-engines.js'
import { isForPrograms, toProcessEvent } from './process-events.js'
import { adminParts } from './admin-parts.js'
import { type AdminDesk, openAdminDesk } from './admin-desk.js'
import { type Ground, makeParts, type Parts, settleAgents } from './parts.js'
import { adminApiRoutes, adminTokenCheck } from './routes/admin-routes.js'
import { connectRoutes } from './routes/connect-routes.js'
import { embedRoute } from './routes/embed-route.js'
import { healthRoute } from './routes/health-route.js'
import { sessionRoutes } from './routes/session-routes.js'
import { webmcpRoutes } from './routes/webmcp-route.js'

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

interface Joined extends Ground {
  parts: Parts
}

function makeGate(settings: Settings, facts: Joined): Gate {
  return createGate({
    grants: facts.home.grants,
    named: (origin) => facts.parts.pairing.named(origin),
    engine: () => ({ port: facts.address.port, mode: settings.mode }),
    isAdminToken: adminTokenCheck(settings.mode === 'app' ? settings.adminToken : undefined),
    audit: settings.audit,
  })
}

function makeRouter(settings: Settings, joined: Joined): Router {
  const { mode, clock } = settings
  const { home, parts, desk } = joined
  return createRouter([
    healthRoute({
      approvals: mode,
      agents: parts.agents,
      grants: home.grants,
      embedModel: () => parts.embeddings.current()?.model,
    }),
    ...connectRoutes({ ...parts, grants: home.grants }),
    ...sessionRoutes(parts.sessions, parts.budget),
    embedRoute(parts.embeddings),
    ...webmcpRoutes({ relay: parts.relay, clock }),
    ...(desk === null ? [] : adminApiRoutes(adminParts(settings, { ...joined, desk }))),
  ])
}

interface Running {
  settings: Settings
  home: Home
  parts: Parts
  upgrades: UpgradeHandler
  listener: Listener
  address: Address
  desk: AdminDesk | null
  named: NamedHere
}

async function shutDown({ home, parts, upgrades, listener, named }: Running): Promise<void> {
  const stopped = listener.close()
  await parts.close()
  upgrades.close()
  await stopped
  await named.leave()
  await home.close()
}

function present(running: Running): Engine {
  const { home, parts, address, upgrades, desk } = running
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
      return upgrades.open
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

/** Everything behind the files; they are closed again by the caller when this fails. */
async function startOn(home: Home, settings: Settings, desk: AdminDesk | null): Promise<Engine> {
  const address = new Address()
  const parts = makeParts(settings, { home, address, desk })
  const joined: Joined = { home, parts, address, desk }
  const gate = makeGate(settings, joined)
  const handle = createRequestHandler({
    gate,
    router: makeRouter(settings, joined),
    clock: settings.clock,
    log: settings.log,
  })
  const upgrades = createUpgradeHandler({ gate, relay: parts.relay, log: settings.log })
  try {
    await settleAgents(parts, home, settings)
    const listener = await listen({
      port: settings.port ?? home.config.value.port ?? DEFAULT_PORT,
      clock: settings.clock,
      silent: settings.mode === 'app',
      onRequest: (request, response) => void handle(request, response),
      onUpgrade: upgrades.handle,
    })
    address.set(listener.port)
    // A connected page asks first of all whether there are embeddings; nobody waits for the look.
    if (home.grants.list().length > 0) void parts.embeddings.refresh()
    parts.begin()
    const named = nameEngine(settings, listener.port)
    return present({ settings, home, parts, upgrades, listener, address, desk, named })
  } catch (error) {
    upgrades.close()
    await parts.close()
    throw error
  }
}

/**
 * Starts an engine on 127.0.0.1.
 * @throws ListenError when the port can't be had; StateError when the home can't be used; EngineError `not_found` for an
 * unknown `defaultAgent`
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { settings, desk } = openAdminDesk(withDefaults(options))
  const home = await openHome(settings)
  try {
    return await startOn(home, settings, desk)
  } catch (error) {
    await home.close()
    throw error
  }
}
