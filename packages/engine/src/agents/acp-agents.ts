/**
 * The visitor's agents that speak ACP: installed, found or added. Each gets its box when a session first needs it, and
 * keeps it; the code for all of that is loaded only then. Installing and signing in are commands, not sessions.
 */
import type { AgentAdapter, AuditSink } from '@leuria/agent'
import type { AcpAgent, BridgeCommand } from '@leuria/agent-acp'
import type { AgentRegistry, RunnableAgent } from '@leuria/agent-registry'
import type { Box } from '@leuria/agent-sandbox'
import type { Clock } from '@leuria/clock'
import type { AgentFacts } from './agent-source.js'

export interface AcpAgentsOptions {
  home: string
  clock: Clock
  audit: AuditSink
  /** For agents that take tools over stdio only; absent: these can't be used. */
  bridgeCommand?: BridgeCommand | undefined
  /** Ids of agents that the visitor lets run outside a sandbox although nobody has checked them. */
  trusted: () => readonly string[]
  engineVersion: string
  log: (line: string) => void
}

export interface AcpAgents {
  /** From memory, as last looked; looks again in the background when there is none of that id, at most every 10 s. */
  find(id: string): AgentFacts | null
  /** All of them, from memory. */
  known(): readonly AgentFacts[]
  /** The adapter, in its box. `null`: there is no such agent. @throws AgentError when its box can't be made */
  open(id: string): Promise<AgentAdapter | null>
  /** Looks which agents there are. Never rejects. */
  load(): Promise<void>
  /** Ends every program and removes every box. Idempotent. */
  close(): Promise<void>
}

/** An agent that was opened, and what it was made from: another version is another agent. */
interface Opened {
  mark: string
  agent: Promise<{ box: Box; agent: AcpAgent }>
}

/** Looking reads folders, and a page asks for its AI's name every few seconds: one that is gone isn't looked for each time. */
const LOOK_AGAIN_MS = 10_000

function markOf({ command, args, version, env }: RunnableAgent): string {
  return JSON.stringify([command, args, version, env])
}

/** What a box must show for the bridge. */
function bridgePaths(bridge: BridgeCommand | undefined): readonly string[] {
  return bridge === undefined ? [] : [bridge.command, ...(bridge.readable ?? bridge.args.slice(0, 1))]
}

class VisitorAcpAgents implements AcpAgents {
  #registry: Promise<AgentRegistry> | undefined
  #known = new Map<string, AgentFacts>()
  readonly #opened = new Map<string, Opened>()
  /** Older versions: their sessions go on, new ones get the new version. */
  readonly #retired: Opened[] = []
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #closed = false

  constructor(private readonly options: AcpAgentsOptions) {}

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
        this.options.log(`Agents could not be looked for: ${error instanceof Error ? error.message : String(error)}`)
      })
      .finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async open(id: string): Promise<AgentAdapter | null> {
    const runnable = await (await this.#open()).find(id)
    if (runnable === null || this.#closed) return null
    const mark = markOf(runnable)
    const before = this.#opened.get(id)
    if (before?.mark === mark) return (await before.agent).agent
    if (before !== undefined) this.#retired.push(before)
    const opened = { mark, agent: this.#make(runnable) }
    this.#opened.set(id, opened)
    // One that failed is made anew by the next session.
    opened.agent.catch(() => {
      if (this.#opened.get(id) === opened) this.#opened.delete(id)
    })
    return (await opened.agent).agent
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#looking
    await Promise.all([...this.#opened.values(), ...this.#retired].map(closeOpened))
    await (await this.#registry?.catch(() => undefined))?.close()
  }

  #open(): Promise<AgentRegistry> {
    if (this.#registry === undefined) {
      const { home, clock, log } = this.options
      const opening = import('@leuria/agent-registry').then(({ openAgentRegistry }) =>
        openAgentRegistry({ home, clock, log }),
      )
      // Files that can't be read may be mended meanwhile: the next one to ask tries again.
      opening.catch(() => (this.#registry = undefined))
      this.#registry = opening
    }
    return this.#registry
  }

  async #look(): Promise<void> {
    const agents = await (await this.#open()).startable()
    this.#known = new Map(agents.map(({ id, name }) => [id, { id, name, kind: 'agent' as const }]))
  }

  async #make(runnable: RunnableAgent): Promise<{ box: Box; agent: AcpAgent }> {
    const { clock, audit, log, bridgeCommand, engineVersion, trusted } = this.options
    const [{ openBox }, { createAcpAgent }] = await Promise.all([
      import('@leuria/agent-sandbox'),
      import('@leuria/agent-acp'),
    ])
    const box = await openBox({ readable: [...runnable.readable, ...bridgePaths(bridgeCommand)], clock, log })
    const agent = createAcpAgent({
      id: runnable.id,
      name: runnable.name,
      command: runnable.command,
      args: runnable.args,
      env: runnable.env,
      ...(runnable.version === null ? {} : { version: runnable.version }),
      ...(bridgeCommand === undefined ? {} : { bridgeCommand }),
      launch: box.launch,
      trusted: trusted().includes(runnable.id),
      ...{ clock, audit, log, engineVersion },
    })
    return { box, agent }
  }
}

async function closeOpened({ agent }: Opened): Promise<void> {
  const opened = await agent.catch(() => null)
  await opened?.agent.close()
  await opened?.box.close()
}

export function createAcpAgents(options: AcpAgentsOptions): AcpAgents {
  return new VisitorAcpAgents(options)
}
