/** The engine that all rounds of the fault test share, and what it must come back to after each. */
import type { AuditEntry } from '@leuria/agent'
import { type Origin, parseOrigin } from '@leuria/protocol'
import type { SessionChange } from '@leuria/session-manager'
import { fakeClock, type FakeClock, settle } from '@leuria/testing'
import { oneAgent, openTestEngine, type TestEngine } from '../engine.fixture.js'
import { RecordedAi } from './recorded-ai.fixture.js'

/** Time runs faster than the network, and waits are shorter, so that each of them ends in some rounds. */
const CLOCK = { everyMs: 2, byMs: 20 }
const LIMITS = {
  sessions: { unapprovedMs: 60_000, unattendedMs: 120_000 },
  relay: { reconnectGraceMs: 1_000, pingMs: 1_500, closeGraceMs: 500 },
  tools: { callTimeoutMs: 4_000 },
}
/** Past the reclaiming of sessions that nobody cares for, and the reading of ended ones. */
const AFTERWARDS_MS = 8 * 60_000

/** Everything that a session could leave behind. */
export interface Leftovers {
  sessions: number
  ended: number
  streams: number
  channels: number
  registerSockets: number
  openCalls: number
  mcp: number
  pageSockets: number
  agents: number
  timers: number
}

export const NOTHING: Leftovers = {
  sessions: 0,
  ended: 0,
  streams: 0,
  channels: 0,
  registerSockets: 0,
  openCalls: 0,
  mcp: 0,
  pageSockets: 0,
  agents: 0,
  timers: 0,
}

export class World {
  readonly changes: SessionChange[] = []
  readonly audit: AuditEntry[] = []
  readonly clock: FakeClock = fakeClock()
  readonly ai = new RecordedAi(this.clock)
  readonly sites: { origin: Origin; token: string }[] = []
  #test: TestEngine | null = null
  /** An engine at rest watches its files. */
  #timersAtRest = 0

  /** @param sites how many sites are connected */
  async open(sites: number): Promise<this> {
    const audit = { record: (entry: AuditEntry) => void this.audit.push(entry) }
    this.#test = await openTestEngine({ clock: this.clock, agents: oneAgent(this.ai), audit, limits: LIMITS })
    for (let count = 0; count < sites; count += 1) {
      const origin = parseOrigin(`https://site-${count}.example`)
      if (origin === null) throw new Error('unreachable: it is an origin')
      this.sites.push({ origin, token: (await this.engine.grants.issue({ origin })).token })
    }
    this.engine.sessions.subscribe((change) => this.changes.push(change))
    // Not zero tries: at rest there are as few timers as there will ever be.
    await this.#rest()
    this.#timersAtRest = this.clock.pending
    return this
  }

  get engine() {
    if (this.#test === null) throw new Error('The world is not open.')
    return this.#test.engine
  }

  get warnings(): readonly string[] {
    return this.#test?.warnings ?? []
  }

  /** Time flies until what is returned is called. */
  fly(): () => void {
    const flying = setInterval(() => {
      this.clock.advance(CLOCK.byMs)
    }, CLOCK.everyMs)
    return () => {
      clearInterval(flying)
    }
  }

  /** Lets everything that is over be forgotten. What is left then is a leak. */
  async leftovers(): Promise<Leftovers> {
    await this.#rest()
    const { sessions, ended, streams } = this.engine.sessions.live()
    return {
      sessions,
      ended,
      streams,
      ...this.engine.relay.counts(),
      pageSockets: this.engine.openSockets,
      agents: this.ai.scripted.running,
      timers: this.clock.pending - this.#timersAtRest,
    }
  }

  /** What was written down in a round is of no use in the next. */
  forget(): void {
    for (const list of [this.changes, this.audit, this.ai.turns, this.ai.calls, this.ai.scripted.sessions])
      list.length = 0
  }

  async close(): Promise<void> {
    await this.#test?.[Symbol.asyncDispose]()
  }

  /** Long after everything. */
  async #rest(): Promise<void> {
    for (let step = 0; step < 4; step += 1) {
      this.clock.advance(AFTERWARDS_MS / 4)
      await settle()
    }
    await this.engine.usage.flush()
    // What was written makes the watchers look once more; the system tells them when it likes.
    for (let tries = 0; tries < 50 && this.clock.pending > this.#timersAtRest; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      this.clock.advance(1_000)
      await settle()
    }
  }
}
