/** An agent made ready to open sessions: its version held, its box opened, its adapter made. Nothing is started yet. */
import type { AuditSink } from '@leuria/agent'
import type { AcpAgent, BridgeCommand, SeenSignIn } from '@leuria/agent-acp'
import type { AgentRegistry, RunnableAgent } from '@leuria/agent-registry'
import type { Clock } from '@leuria/clock'
import { readyProgram, type ReadyProgram } from './ready-program.js'

export interface OpeningOptions {
  clock: Clock
  audit: AuditSink
  bridgeCommand?: BridgeCommand | undefined
  engineVersion: string
  log: (line: string) => void
  registry: Pick<AgentRegistry, 'hold'>
  /** It may run outside a sandbox although nobody has checked it. */
  trusted: boolean
  /** The sign-in method to use by itself. */
  authMethod: () => string | undefined
  onSignIn: (seen: SeenSignIn) => void
}

export interface OpenedAgent {
  readonly agent: AcpAgent
  /** The program that stands ready for the next session, if there is to be one. */
  readonly ready: ReadyProgram
  /** Ends its programs, removes its box, gives its version free. */
  close(): Promise<void>
}

/** What a box must show for the bridge. */
function bridgePaths(bridge: BridgeCommand | undefined): readonly string[] {
  return bridge === undefined ? [] : [bridge.command, ...(bridge.readable ?? bridge.args.slice(0, 1))]
}

/** @throws AgentError when its box can't be made */
export async function openAgent(runnable: RunnableAgent, options: OpeningOptions): Promise<OpenedAgent> {
  const release = await options.registry.hold(runnable)
  try {
    return await openHeld(runnable, options, release)
  } catch (error) {
    await release()
    throw error
  }
}

async function openHeld(
  runnable: RunnableAgent,
  options: OpeningOptions,
  release: () => Promise<void>,
): Promise<OpenedAgent> {
  const { registry: _, bridgeCommand, clock, log, ...rest } = options
  const [{ openBox }, { createAcpAgent, findProfile }] = await Promise.all([
    import('@leuria/agent-sandbox'),
    import('@leuria/agent-acp'),
  ])
  const { id, name, command, args, env, version, readable } = runnable
  const box = await openBox({ readable: [...readable, ...bridgePaths(bridgeCommand)], clock, log })
  const agent = createAcpAgent({
    ...{ id, name, command, args, env, clock, log },
    ...(version === null ? {} : { version }),
    ...(bridgeCommand === undefined ? {} : { bridgeCommand }),
    launch: box.launch,
    sandbox: box.kind !== 'none',
    ...rest,
  })
  return {
    agent,
    ready: readyProgram(agent, findProfile(id).signIn),
    async close() {
      await agent.close()
      await box.close()
      await release()
    },
  }
}
