/**
 * The visitor's agents that speak ACP: installed, found or added. Each gets its box when a session first needs it, and
 * keeps it; the code for all of that is loaded only then. Installing and signing in are commands, not sessions.
 */
import type { AuditSink } from '@leuria/agent'
import type { AcpAgent, BridgeCommand, SeenSignIn as SessionSignIn } from '@leuria/agent-acp'
import type { AgentRegistry, RunnableAgent, SignIn } from '@leuria/agent-registry'
import type { Clock } from '@leuria/clock'
import { AgentFiles, type SeenSignIn, words } from './agent-files.js'
import type { AgentFacts } from './agent-source.js'
import { openAgent, type OpenedAgent } from './opened-agent.js'

export interface AcpAgentsOptions {
  home: string
  clock: Clock
  audit: AuditSink
  /** For agents that take tools over stdio only; absent: these can't be used. */
  bridgeCommand?: BridgeCommand | undefined
  /** Ids of agents that the visitor lets run outside a sandbox although nobody has checked them. */
  trusted: () => readonly string[]
  /** Of the list of agents; absent: the public one. */
  registryUrl?: string | undefined
  engineVersion: string
  log: (line: string) => void
}

export interface AcpAgents {
  /** From memory, as last looked; looks again in the background when there is none of that id, at most every 10 s. */
  find(id: string): AgentFacts | null
  /** All of them, from memory. */
  known(): readonly AgentFacts[]
  /** The adapter, in its box. `null`: there is no such agent. @throws AgentError when its box can't be made */
  open(id: string): Promise<AcpAgent | null>
  /** Looks which agents there are. Never rejects. */
  load(): Promise<void>
  /**
   * Has one program of this agent stand ready for the next session, and of no other; `null`: of none. One that isn't here,
   * is signed out or may not run isn't started. Resolves when it stands; never rejects.
   */
  keepWarm(id: string | null): Promise<void>
  /** Removes old versions that nobody uses, and what crashed installations left. Never rejects. */
  prune(): Promise<void>
  /** Tells what sessions show of a sign-in, after it is noted for next time. Returns its undo. */
  onSignIn(listener: (seen: SeenSignIn & { id: string }) => void): () => void
  /** The one that all of this is about; it is closed with the agents. @throws StateError when its files can't be read */
  registry(): Promise<AgentRegistry>
  /** Who is signed in, as last seen. */
  noted(id: string): Promise<SignIn | null>
  /** Keeps whether an agent let us in. Never rejects: it is a memory aid. */
  note(id: string, seen: SeenSignIn): Promise<void>
  /** Ends its programs, and forgets who was signed in. */
  forget(id: string): Promise<void>
  /** Ends every program and removes every box. Idempotent. */
  close(): Promise<void>
}

/** An agent that was opened, and what it was made from: another version, or another word of the visitor, is another agent. */
interface Opened {
  readonly mark: string
  readonly agent: Promise<OpenedAgent>
}

/** Looking reads folders, and a page asks for its AI's name every few seconds: one that is gone isn't looked for each time. */
const LOOK_AGAIN_MS = 10_000
/** An older version is let go when nothing runs on it for so long: a session that was just given it has opened, or failed. */
const RETIRED_FOR_MS = 120_000

function markOf({ command, args, version, env }: RunnableAgent, trusted: boolean): string {
  return JSON.stringify([command, args, version, env, trusted])
}

class VisitorAcpAgents implements AcpAgents {
  readonly #files: AgentFiles
  #known = new Map<string, AgentFacts>()
  /** By the id that the agent has itself: it may be asked for by an older one. */
  readonly #opened = new Map<string, Opened>()
  /** Older versions, and since when: their sessions go on, new ones get the new version. */
  readonly #retired = new Map<Opened, number>()
  readonly #listeners = new Set<(seen: SeenSignIn & { id: string }) => void>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #pruning: Promise<void> | undefined
  /** One change of what stands ready after the other. */
  #choosing: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(private readonly options: AcpAgentsOptions) {
    this.#files = new AgentFiles(options)
  }

  find(id: string): AgentFacts | null {
    const known = this.#known.get(id)
    const isDue = this.options.clock.now() - this.#lookedAt >= LOOK_AGAIN_MS
    if (known === undefined && isDue && !this.#closed) void this.load()
    return known ?? null
  }

  known(): readonly AgentFacts[] {
    return [...this.#known.values()]
  }

  load(): Promise<void> {
    this.#lookedAt = this.options.clock.now()
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        this.options.log(`Agents could not be looked for: ${words(error)}`)
      })
      .finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async open(id: string): Promise<AcpAgent | null> {
    const opened = await this.#current(id)
    if (opened === null) return null
    const { agent, ready } = await opened.agent
    await ready.renew()
    return agent
  }

  async keepWarm(id: string | null): Promise<void> {
    const chosen = this.#choosing.then(() => (this.#closed ? null : this.#chooseWarm(id)))
    this.#choosing = chosen.catch(() => undefined)
    try {
      await (
        await chosen
      )?.stands
    } catch (error) {
      this.options.log(`${id ?? 'No AI'} could not be kept ready: ${words(error)}`)
    }
  }

  prune(): Promise<void> {
    this.#pruning ??= this.#files.prune()
    return this.#pruning
  }

  registry(): Promise<AgentRegistry> {
    return this.#files.registry()
  }

  noted(id: string): Promise<SignIn | null> {
    return this.#files.noted(id)
  }

  note(id: string, seen: SeenSignIn): Promise<void> {
    return this.#files.note(id, seen)
  }

  async forget(id: string): Promise<void> {
    const opened = this.#opened.get(id)
    this.#opened.delete(id)
    if (opened !== undefined) await closeOpened(opened)
    await this.#files.forget(id)
  }

  onSignIn(listener: (seen: SeenSignIn & { id: string }) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([this.#looking, this.#pruning, this.#choosing])
    await Promise.all([...this.#opened.values(), ...this.#retired.keys()].map(closeOpened))
    await this.#files.close()
  }

  async #look(): Promise<void> {
    const agents = await (await this.#files.registry()).startable()
    this.#known = new Map(agents.map(({ id, name }) => [id, { id, name, kind: 'agent' as const }]))
  }

  /** What a new session gets. `null`: there is no such agent (any more). */
  async #current(id: string): Promise<Opened | null> {
    const runnable = await (await this.#files.registry()).find(id)
    if (this.#closed) return null
    this.#letGo()
    if (runnable === null) this.#retire(id)
    if (runnable === null) return null
    const trusted = this.options.trusted().includes(runnable.id)
    const mark = markOf(runnable, trusted)
    const before = this.#opened.get(runnable.id)
    if (before?.mark === mark) return before
    this.#retire(runnable.id)
    const opened: Opened = { mark, agent: this.#make(runnable, trusted) }
    this.#opened.set(runnable.id, opened)
    // One that failed is made anew by the next session.
    opened.agent.catch(() => {
      if (this.#opened.get(runnable.id) === opened) this.#opened.delete(runnable.id)
    })
    return opened
  }

  async #make(runnable: RunnableAgent, trusted: boolean): Promise<OpenedAgent> {
    const { registry, signIns } = await this.#files.open()
    const { clock, audit, log, bridgeCommand, engineVersion } = this.options
    const { id } = runnable
    return openAgent(runnable, {
      ...{ clock, audit, log, bridgeCommand, engineVersion, registry, trusted },
      // One that asks although it was signed in by this way wants to be told the way; else it is the visitor's turn.
      authMethod: () => {
        const known = signIns.get(id)
        return known?.state === 'signed_in' ? known.method : undefined
      },
      onSignIn: (seen) => void this.#noteSeen(id, seen),
    })
  }

  async #noteSeen(id: string, { state, ...rest }: SessionSignIn): Promise<void> {
    const seen = { ok: state === 'signed_in', ...rest }
    await this.note(id, seen)
    for (const listener of [...this.#listeners]) listener({ id, ...seen })
  }

  #retire(id: string): void {
    const opened = this.#opened.get(id)
    if (opened === undefined) return
    this.#opened.delete(id)
    this.#retired.set(opened, this.options.clock.now())
    void coolOpened(opened)
  }

  #letGo(): void {
    const now = this.options.clock.now()
    for (const [opened, since] of this.#retired) {
      if (now - since < RETIRED_FOR_MS) continue
      void opened.agent.then(
        ({ agent }) => {
          if (agent.running > 0 || !this.#retired.delete(opened)) return
          void closeOpened(opened)
        },
        () => this.#retired.delete(opened),
      )
    }
  }

  /** `stands` inside an object: nobody is to wait for the start in order to choose again. */
  async #chooseWarm(id: string | null): Promise<{ stands: Promise<void> } | null> {
    const wanted = id === null ? null : await this.#warmable(id)
    const others = [...this.#opened.values()].filter((opened) => opened !== wanted)
    await Promise.all(others.map(coolOpened))
    if (wanted === null || this.#closed) return null
    const { ready } = await wanted.agent
    return { stands: ready.warm() }
  }

  async #warmable(id: string): Promise<Opened | null> {
    const { registry, signIns } = await this.#files.open()
    const runnable = await registry.find(id)
    // It could only say that it wants a sign-in, and starting it must not look like one.
    if (runnable === null || signIns.get(runnable.id)?.state !== 'signed_out') return this.#current(id)
    return null
  }
}

async function coolOpened({ agent }: Opened): Promise<void> {
  await (await agent.catch(() => null))?.ready.cool()
}

async function closeOpened({ agent }: Opened): Promise<void> {
  await (await agent.catch(() => null))?.close()
}

export function createAcpAgents(options: AcpAgentsOptions): AcpAgents {
  return new VisitorAcpAgents(options)
}
