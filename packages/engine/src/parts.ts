/** Makes the parts and lets each know of the others what it needs: the only place where they meet. */
import { createPairing, type Pairing } from '@leuria/pairing'
import { EngineError, parseAgentId } from '@leuria/protocol'
import { createSessionManager, type SessionManager } from '@leuria/session-manager'
import { createRelay, type Relay, type RelayChannel } from '@leuria/webmcp-relay'
import { feedFrom } from '@leuria/admin-api'
import type { Address } from './address.js'
import type { AdminDesk } from './admin-desk.js'
import type { AgentSource } from './agents/agent-source.js'
import { createAgentOpener } from './agents/open-agent.js'
import { createVisitorAgents, type VisitorAgents } from './agents/visitor-agents.js'
import { auditPairing } from './audit-pairing.js'
import { createBudget, countUsage } from './budget.js'
import { endSessionsWithDefault } from './end-sessions-with-default.js'
import { endSessionsWithGrants } from './end-sessions-with-grants.js'
import { endSessionsWithTrust } from './end-sessions-with-trust.js'
import { endSessionsWithServices } from './end-sessions-with-services.js'
import type { Settings } from './engine-options.js'
import { toFeedEvent } from './process-events.js'
import type { Home } from './home.js'
import { keepDefaultWarm } from './keep-default-warm.js'
import { ENGINE_VERSION } from './version.js'

/** Whether agents have to be known before anybody can be told their names. */
function namesAgents({ defaultAgent, mode }: Settings, home: Home): boolean {
  const ids = [defaultAgent, home.config.value.agent, ...home.grants.list().map(({ agent }) => agent)]
  return mode === 'app' || ids.some((id) => id !== undefined && parseAgentId(id)?.kind === 'agent')
}

/**
 * Looks for agents where they matter from the start. The visitor's choice for this run has to exist; one from the file
 * may have gone, and is told when it is used. @throws EngineError `not_found`
 */
export async function settleAgents(parts: Parts, home: Home, settings: Settings): Promise<void> {
  if (namesAgents(settings, home)) await parts.ais.acp.load()
  checkDefaultAgent(parts.agents, settings.defaultAgent)
}

function checkDefaultAgent(agents: AgentSource, id: string | undefined): void {
  if (id === undefined || agents.find(id) !== null) return
  throw new EngineError('not_found', `There is no AI "${id}". leuria ai lists those that there are.`)
}

/** The visitor's own AIs; an integrator may bring others in place of those that sites talk to. */
function makeAgents(settings: Settings, files: Home): VisitorAgents {
  const { agents, log, ...known } = settings
  const own = createVisitorAgents({ ...known, ...files, env: process.env, log: log.debug })
  return { ...own, source: agents ?? own.source }
}

function makePairing({ clock, mode, log }: Settings, home: Home, address: Address) {
  return createPairing({
    clock,
    approvals: mode,
    grants: home.grants,
    isReserved: (origin) => address.isOwn(origin),
    onError: (error) => {
      log.warn(`A connection could not be completed: ${error instanceof Error ? error.message : String(error)}`)
    },
  })
}

function makeSessions(
  settings: Settings,
  open: ReturnType<typeof createAgentOpener>,
  relay: Relay,
): SessionManager<RelayChannel> {
  return createSessionManager({
    clock: settings.clock,
    audit: settings.audit,
    limits: settings.limits?.sessions,
    open,
    openChannel: (session) => relay.open(session),
    report: ({ id, error }) => {
      settings.log.warn(
        `Unexpected error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
    },
  })
}

/**
 * Tells whether an agent let us in; of other AIs there is nothing to tell. It is the agents themselves who keep it: some
 * open a session for anybody, and ask for a sign-in at the first question.
 */
function tellSeen({ acp }: VisitorAgents, { feed }: AdminDesk): (id: string, ok: boolean) => void {
  return (id, ok) => {
    // That it didn't comes from them, too: it may show at a question.
    if (ok && acp.known().some((agent) => agent.id === id)) feed.publish({ event: 'agent_state', id, ok })
  }
}

/** Everything that happens, on the window's feed. Returns its undo. */
function feedWindow({ feed }: AdminDesk, { clock }: Settings, world: FedWorld): () => void {
  const { home, address, pairing, sessions, visitorAgents } = world
  const { source } = visitorAgents
  const unask = pairing.subscribe((event) => {
    const told = toFeedEvent(event, address.url)
    if (told !== null) feed.publish(told)
  })
  const undo = feedFrom(feed, {
    ...home,
    clock,
    sessions,
    ais: visitorAgents,
    defaultAgent: () => ({ id: source.idFor(null), name: source.nameFor(null) }),
  })
  const unsee = visitorAgents.acp.onSignIn(({ id, ok }) => {
    if (!ok) feed.publish({ event: 'agent_state', id, ok })
  })
  return () => {
    unask()
    unsee()
    undo()
  }
}

interface FedWorld {
  home: Home
  address: Address
  pairing: Pairing
  sessions: SessionManager<RelayChannel>
  visitorAgents: VisitorAgents
}

/** What the parts stand on. */
export interface Ground {
  home: Home
  address: Address
  /** `null`: there is no admin API. */
  desk: AdminDesk | null
}

/** Everything between the gate and the files. */
export function makeParts(settings: Settings, { home, address, desk }: Ground) {
  const { clock, audit, limits } = settings
  const visitorAgents = makeAgents(settings, home)
  const { source: agents, embeddings } = visitorAgents
  const pairing = makePairing(settings, home, address)
  const relay = createRelay({
    clock,
    audit,
    baseUrl: () => address.url,
    limits: limits?.relay,
    toolLimits: limits?.tools,
    log: settings.log.debug,
    version: ENGINE_VERSION,
  })
  const open = createAgentOpener({
    agents,
    grants: home.grants,
    baseUrl: () => address.url,
    ...(desk === null ? {} : { seen: tellSeen(visitorAgents, desk) }),
  })
  const sessions = makeSessions(settings, open, relay)
  const stopCounting = countUsage(sessions, home.usage)
  const unwatch = [
    auditPairing(pairing, audit),
    endSessionsWithGrants({ grants: home.grants, sessions }),
    endSessionsWithDefault({ ...home, defaultAgent: settings.defaultAgent, sessions }),
    endSessionsWithServices({ ...home, defaultAgent: settings.defaultAgent, sessions }),
    endSessionsWithTrust({
      ...home,
      defaultAgent: settings.defaultAgent,
      trustedAgents: settings.trustedAgents ?? [],
      sessions,
    }),
    home.grants.subscribe(({ kind, origin }) => {
      if (kind === 'revoked') pairing.revoked(origin)
    }),
    ...(desk === null ? [] : [feedWindow(desk, settings, { home, address, pairing, sessions, visitorAgents })]),
  ]
  const warm = keepDefaultWarm(settings, { ...home, ais: visitorAgents, sessions })
  return {
    agents,
    /** All of the visitor's, for the app. */
    ais: visitorAgents,
    embeddings,
    pairing,
    relay,
    sessions,
    budget: createBudget(sessions, home.usage),
    /** For an engine that listens: what nobody waits for. */
    begin() {
      warm.start()
      void visitorAgents.acp.prune()
    },
    /** Ends sessions first: their pages learn why before their channels close. */
    async close() {
      for (const undo of unwatch) undo()
      warm.close()
      await sessions.close()
      stopCounting()
      await relay.close()
      await pairing.close()
      await visitorAgents.close()
      desk?.feed.close()
    },
  }
}

export type Parts = ReturnType<typeof makeParts>
