/** Scripted ACP agents in this process, behind `LaunchAgent`: no program is started, everything else is as it would be. */
import { PassThrough } from 'node:stream'
import { AgentError, type AgentLaunch, type AgentProcess, type LaunchAgent } from '@leuria/agent'
import type { AcpScript } from './acp-script.js'
import { ScriptedAcpAgent } from './scripted-acp-agent.js'

export interface ScriptedAcpLaunch {
  launch: LaunchAgent
  /** Agents that were started, oldest first. */
  readonly agents: readonly ScriptedAcpAgent[]
  /** What they were started with. */
  readonly launches: readonly AgentLaunch[]
  /** The newest one. @throws when none was started */
  readonly agent: ScriptedAcpAgent
  /** How many run. */
  readonly running: number
  /** Ends the newest program as if it had died. */
  die(exit: { code: number | null; signal: string | null }): void
}

export interface ScriptedAcpLaunchOptions {
  /** @default false */
  boxed?: boolean
  /** There is no such program. */
  missing?: boolean
}

/** @param script one for all, or one for each start */
export function scriptedAcpLaunch(
  script: AcpScript | ((start: number) => AcpScript) = {},
  { boxed = false, missing = false }: ScriptedAcpLaunchOptions = {},
): ScriptedAcpLaunch {
  const agents: ScriptedAcpAgent[] = []
  const launches: AgentLaunch[] = []
  const deaths: ((exit: { code: number | null; signal: string | null }) => void)[] = []
  let running = 0
  return {
    agents,
    launches,
    get agent() {
      const agent = agents.at(-1)
      if (agent === undefined) throw new Error('No agent was started.')
      return agent
    },
    get running() {
      return running
    },
    die: (exit) => deaths.at(-1)?.(exit),
    async launch(launch): Promise<AgentProcess> {
      launches.push(launch)
      if (missing) throw new AgentError('unavailable', `${launch.command} is not installed.`)
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
      running += 1
      let over = false
      let exited: (exit: { code: number | null; signal: string | null }) => void = () => undefined
      const gone = new Promise<{ code: number | null; signal: string | null }>((resolve) => (exited = resolve))
      const end = (exit: { code: number | null; signal: string | null }): void => {
        if (over) return
        over = true
        running -= 1
        for (const pipe of [stdout, stderr]) if (!pipe.writableEnded) pipe.end()
        exited(exit)
      }
      deaths.push(end)
      agents.push(
        new ScriptedAcpAgent(typeof script === 'function' ? script(agents.length) : script, {
          input: stdin,
          output: stdout,
          stderr,
          closeOutput: () => stdout.end(),
          exit: (code) => {
            end({ code, signal: null })
          },
        }),
      )
      return {
        stdin,
        stdout,
        stderr,
        cwd: '/scratch',
        boxed,
        exited: gone,
        async kill() {
          stdin.end()
          await new Promise((resolve) => setImmediate(resolve))
          end({ code: null, signal: 'SIGKILL' })
        },
      }
    },
  }
}
