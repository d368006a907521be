import type { OpenOptions } from '@leuria/agent'
import {
  ACP_SCENES,
  type AdapterScene,
  agentAdapterContract,
  fakeMcpEndpoint,
  scriptedAcpLaunch,
} from '@leuria/testing'
import { type AcpAgent, type AcpAgentOptions, createAcpAgent } from './index.js'
import { plainLaunch, scriptedProgram } from './process.fixture.js'

const SCENES = Object.fromEntries(Object.entries(ACP_SCENES).map(([name, steps]) => [`scene ${name}`, steps]))
const common = { id: 'scripted', name: 'Scripted agent', trusted: true } as const

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

function contract(name: string, launching: () => Pick<AcpAgentOptions, 'command' | 'args' | 'launch'>): void {
  agentAdapterContract(name, async () => withEndpoints(createAcpAgent({ ...common, ...launching() })), {
    unavailable: () => createAcpAgent({ ...common, command: '/nowhere/agent', launch: plainLaunch().launch }),
  })
}

contract('agent-acp, in process', () => ({
  command: 'scripted-agent',
  launch: scriptedAcpLaunch({ scenes: SCENES }).launch,
}))

contract('agent-acp, a program', () => ({ ...scriptedProgram({ scenes: SCENES }), launch: plainLaunch().launch }))
