/** What answers behind the door: files, parts, gate and routes. Loaded by itself, so that an engine listens before. */
import { adminParts } from './admin-parts.js'
import type { Settings } from './engine-options.js'
import { type Home, openHome } from './home.js'
import type { Behind } from './http/door.js'
import { createGate, type Gate } from './http/gate.js'
import { createRequestHandler } from './http/request-handler.js'
import { createRouter, type Router } from './http/router.js'
import { createUpgradeHandler } from './http/upgrade-handler.js'
import { type NamedHere, nameEngine } from './other-engines.js'
import { type Ground, makeParts, type Parts, settleAgents } from './parts.js'
import { adminApiRoutes, adminTokenCheck } from './routes/admin-routes.js'
import { connectRoutes } from './routes/connect-routes.js'
import { embedRoute } from './routes/embed-route.js'
import { healthRoute } from './routes/health-route.js'
import { sessionRoutes } from './routes/session-routes.js'
import { webmcpRoutes } from './routes/webmcp-route.js'

export interface Backstage {
  readonly home: Home
  readonly parts: Parts
  readonly behind: Behind
  /** Page sockets that are open right now. */
  readonly openSockets: number
  /** For an engine that listens: what nobody waits for. */
  enter(): void
  /** Ends the parts, then the sockets that are left. */
  close(): Promise<void>
  /** Once nothing is open any more: takes back what `enter` left in the home, and closes its files. */
  leave(): Promise<void>
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

function makeDoors(settings: Settings, joined: Joined) {
  const { clock, log } = settings
  const gate = makeGate(settings, joined)
  const handle = createRequestHandler({ gate, router: makeRouter(settings, joined), clock, log })
  return { handle, upgrades: createUpgradeHandler({ gate, relay: joined.parts.relay, log }) }
}

async function setUp(settings: Settings, ground: Ground): Promise<Backstage> {
  const { home, address } = ground
  const parts = makeParts(settings, ground)
  const { handle, upgrades } = makeDoors(settings, { ...ground, parts })
  let named: NamedHere | null = null
  const close = async (): Promise<void> => {
    await parts.close()
    upgrades.close()
  }
  try {
    await settleAgents(parts, home, settings)
  } catch (error) {
    await close()
    throw error
  }
  return {
    home,
    parts,
    behind: { onRequest: (request, response) => void handle(request, response), onUpgrade: upgrades.handle },
    get openSockets() {
      return upgrades.open
    },
    enter() {
      // A connected page asks first of all whether there are embeddings; nobody waits for the look.
      if (home.grants.list().length > 0) void parts.embeddings.refresh()
      parts.begin()
      named = nameEngine(settings, address.port)
    },
    close,
    async leave() {
      await named?.leave()
      await home.close()
    },
  }
}

/** @throws StateError when the home can't be used; EngineError `not_found` for an unknown `defaultAgent` */
export async function openBackstage(settings: Settings, place: Omit<Ground, 'home'>): Promise<Backstage> {
  const home = await openHome(settings)
  try {
    return await setUp(settings, { ...place, home })
  } catch (error) {
    await home.close()
    throw error
  }
}
