/**
 * An ACP agent from the visitor's yes to `ready`: our own part, which is all but the agent's own start. Cold: its program is
 * started in its box, which is proven first. Warm: it stands ready.
 */
import { execFileSync } from 'node:child_process'
import { ACP_AGENT, timeAgent } from '../agent-floor.js'
import { startConnectedEngine } from '../connected-engine.js'
import { Page } from '../page.js'
import { compare, type Figures } from '../rounds.js'
import { rowsOf, type Scenario } from '../scenario.js'
import { median } from '../statistics.js'

const SESSIONS = 7
/** How long the next program may take to stand ready, or the last one to be gone. */
const WAIT_LIMIT_MS = 15_000
/** From its being seen to its having introduced itself, or from its end to its folders' removal; generously. */
const SETTLE_MS = 500

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function timeFloor(count: number): Promise<Figures> {
  const starts = []
  for (let each = 0; each < count; each += 1) starts.push(await timeAgent())
  return { cold: median(starts.map(({ cold }) => cold)), warm: median(starts.map(({ warm }) => warm)) }
}

/** From the visitor's yes to `ready`, less what the agent took by itself just before, in ms. */
async function timeEngine(count: number, warm: boolean): Promise<number> {
  const { engine, token, stop } = await startConnectedEngine({ agent: { script: ACP_AGENT, warm } })
  const ownMs: number[] = []
  try {
    // The first one loads the code for agents.
    for (let each = 0; each <= count; each += 1) {
      await untilPrograms(warm)
      const agent = await timeAgent()
      const page = new Page({ port: engine.port, token })
      await page.start()
      if (each > 0) ownMs.push(page.readyMs - (warm ? agent.warm : agent.cold))
      await page.close()
    }
  } finally {
    await stop()
  }
  return median(ownMs)
}

/** Warm: until one stands ready. Cold: until the last one is gone, whose end would cost the next one time. */
async function untilPrograms(stand: boolean): Promise<void> {
  const givenUpAt = performance.now() + WAIT_LIMIT_MS
  const command = `${process.execPath} ${ACP_AGENT}`
  while (execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).includes(command) !== stand) {
    if (performance.now() > givenUpAt) throw new Error(stand ? 'no program was started ahead' : 'a program stayed')
    await pause(50)
  }
  await pause(SETTLE_MS)
}

export const agentStart: Scenario = {
  name: 'agent-start',
  async run({ scale, rounds }) {
    const count = Math.ceil(SESSIONS * scale)
    const comparisons = await compare(rounds, {
      floor: () => timeFloor(count),
      product: async () => ({ cold: await timeEngine(count, false), warm: await timeEngine(count, true) }),
    })
    return rowsOf(comparisons, {
      cold: { work: 'ACP agent: yes to ready, own part, cold', unit: 'ms', of: 'figure', goal: 30, limit: 100 },
      warm: { work: 'ACP agent: yes to ready, own part, warm', unit: 'ms', of: 'figure', goal: 10, limit: 50 },
    })
  },
}
