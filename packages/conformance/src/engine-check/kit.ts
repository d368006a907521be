/** What one check works with: the kit's sites, sessions that end with the check, and the recordings that checks share. */
import { cannotSee, quote } from '../report/observe.js'
import type { Answer, Call } from '../wire-http.js'
import { type HeldTurn, recordHeldTurn } from './held-turn.js'
import { type KitSession, prepareSession } from './kit-session.js'
import { type PairingRecord, recordPairing } from './pairing-record.js'
import type { Site, Subject, SubjectOptions } from './subject.js'
import { recordToolBench, type ToolBench } from './tool-bench.js'
import { recordToolTurn, type ToolTurn } from './tool-turn.js'

export class Kit {
  readonly #cleanups: (() => unknown)[] = []

  constructor(readonly subject: Subject) {}

  get options(): SubjectOptions {
    return this.subject.options
  }

  /** What happened while the kit's sites were connected. @throws ClauseBroken where that failed */
  pairing(): Promise<PairingRecord> {
    return this.subject.once('pairing', () => recordPairing(this.subject))
  }

  async #sites(): Promise<PairingRecord> {
    try {
      return await this.pairing()
    } catch (error) {
      cannotSee(
        `the kit's site could not be connected: ${quote(error instanceof Error ? error.message : String(error))}`,
      )
    }
  }

  /** A site with a grant. @throws NotObservable when it could not be connected */
  async shop(): Promise<Site> {
    return (await this.#sites()).shop
  }

  /** Another one. */
  async other(): Promise<Site> {
    return (await this.#sites()).other
  }

  call(path: string, call: Call = {}): Promise<Answer> {
    return this.subject.call(path, call)
  }

  /** A request of the shop's page, with its token. */
  async asShop(path: string, call: Call = {}): Promise<Answer> {
    const { origin, token } = await this.shop()
    return this.subject.call(path, { origin, token, ...call })
  }

  /** A session that ends with the check. */
  async session(body: unknown = {}, site?: Site): Promise<KitSession> {
    const session = await prepareSession(this.subject, site ?? (await this.shop()), body)
    this.defer(() => session.dispose())
    return session
  }

  async toolTurn(): Promise<ToolTurn> {
    const site = await this.shop()
    return this.subject.once('tool turn', () => recordToolTurn(this.subject, site))
  }

  async heldTurn(): Promise<HeldTurn> {
    const site = await this.shop()
    return this.subject.once('held turn', () => recordHeldTurn(this.subject, site))
  }

  async tools(): Promise<ToolBench> {
    const site = await this.shop()
    return this.subject.once('tool bench', () => recordToolBench(this.subject, site))
  }

  /** Done when the check is over. */
  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup)
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await Promise.resolve(cleanup()).catch(() => undefined)
  }
}

/** When a check runs: in its turn; beside all others because it waits long; after them because others could not run after it. */
export type When = 'in turn' | 'meanwhile' | 'last' | 'very last'

export interface CheckRow {
  readonly run: (kit: Kit) => Promise<void>
  readonly when: When
}

/** A check alone runs in its turn. */
export type Check = CheckRow | ((kit: Kit) => Promise<void>)

export type Checks<Id extends string> = Readonly<Record<Id, Check>>

export function meanwhile(run: CheckRow['run']): CheckRow {
  return { run, when: 'meanwhile' }
}

export function last(run: CheckRow['run']): CheckRow {
  return { run, when: 'last' }
}

export function veryLast(run: CheckRow['run']): CheckRow {
  return { run, when: 'very last' }
}

/** A clause that no page and no program can look at from outside. */
export function unseen(reason: string): Check {
  return () => Promise.resolve().then(() => cannotSee(reason))
}
