import type { OpenOptions } from '@leuria/agent'
import {
  ACP_SCENES,
  type AcpScript,
  type AdapterScene,
  agentAdapterContract,
  fakeMcpEndpoint,
  scriptedAcpLaunch,
} from '@leuria/testing'
import { type AcpAgent, type AcpAgentOptions, createAcpAgent } from './index.js'
import { plainLaunch, scriptedProgram } from './process.fixture.js'

const SCENES = Object.fromEntries(Object.entries(ACP_SCENES).map(([name, steps]) => [`scene ${name}`, steps]))
/** A cancel that isn't obeyed ends sooner than it would for a visitor. */
const common = { id: 'scripted', name: 'Scripted agent', trusted: true, limits: { cancelMs: 1_500 } } as const

/** Each session gets an MCP endpoint with its tools, as the engine gives it one. */
function withEndpoints(adapter: AcpAgent) {
  const closers: (() => Promise<void>)[] = []
  return {
    adapter: {
      id: adapter.id,
      name: adapter.name,
      async open(options: OpenOptions) {
        const endpoint = await fakeMcpEndpoint(options.tools)
        closers.push(() => endpoint.close())
        return adapter.open({ ...options, mcp: endpoint })
      },
    },
    play: (scene: AdapterScene) => ({ text: `scene ${scene}` }),
    async close() {
      await adapter.close()
      await Promise.all(closers.map(async (close) => close()))
    },
  }
}

/** It stays when it is told to go, as far as a program can. */
const SCENES_SCRIPT: AcpScript = { scenes: SCENES, clings: true }

type Launching = (script: AcpScript) => Pick<AcpAgentOptions, 'command' | 'args' | 'launch'>

function contract(name: string, launching: Launching): void {
  agentAdapterContract(name, async () => withEndpoints(createAcpAgent({ ...common, ...launching(SCENES_SCRIPT) })), {
    hanging: async () => withEndpoints(createAcpAgent({ ...common, ...launching({ initialize: { hang: true } }) })),
    unavailable: () => createAcpAgent({ ...common, command: '/nowhere/agent', launch: plainLaunch().launch }),
  })
}

contract('agent-acp, in process', (script) => ({
  command: 'scripted-agent',
  launch: scriptedAcpLaunch(script).launch,
}))

contract('agent-acp, a program', (script) => ({ ...scriptedProgram(script), launch: plainLaunch().launch }))
