/** An installed agent in its box, for one command: what it says of itself, and signing in. No session runs on it. */
import { type AcpAgent, createAcpAgent } from '@leuria/agent-acp'
import type { RunnableAgent } from '@leuria/agent-registry'
import { openBox } from '@leuria/agent-sandbox'
import { ENGINE_VERSION } from '@leuria/engine/version'
import { using } from './home.js'
import { trustedAgents } from './trusted-agents.js'

/** Starts nothing by itself; everything it started has ended when this settles. @throws AgentError */
export async function withBoxedAgent<Result>(
  runnable: RunnableAgent,
  work: (agent: AcpAgent) => Promise<Result>,
): Promise<Result> {
  const trusted = (await trustedAgents()).includes(runnable.id)
  return using(openBox({ readable: runnable.readable }), (box) => {
    const { id, name, command, args, env, version } = runnable
    const agent = createAcpAgent({
      ...{ id, name, command, args, env },
      ...(version === null ? {} : { version }),
      launch: box.launch,
      sandbox: box.kind !== 'none',
      trusted,
      engineVersion: ENGINE_VERSION,
    })
    return using(Promise.resolve(agent), work)
  })
}
