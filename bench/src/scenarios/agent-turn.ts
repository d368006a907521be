/** A turn of an agent that speaks ACP over its standard input and output: time to the first token, tokens at full speed. */
import { ACP_AGENT } from '../agent-floor.js'
import { Page } from '../page.js'
import { compare, type Figures } from '../rounds.js'
import { rowsOf, type Scenario } from '../scenario.js'
import { onStage, type Variant } from '../stage.js'
import { median } from '../statistics.js'
import { timeFirstTokens } from '../time-first-tokens.js'

const FIRST_TOKENS = 300
const TOKENS = 50_000

async function measure(variant: Variant, scale: number): Promise<Figures> {
  const page = new Page(variant)
  await page.start()
  const tookUs = await timeFirstTokens(page, Math.ceil(FIRST_TOKENS * scale))
  const count = Math.ceil(TOKENS * scale)
  await page.turn(`say ${Math.ceil(count / 10)}`)
  const cpuBefore = variant.process.cpuUs()
  await page.turn(`say ${count}`)
  const cpu = (variant.process.cpuUs() - cpuBefore) / count
  await page.close()
  return { p50: median(tookUs), cpu }
}

export const agentTurn: Scenario = {
  name: 'agent-turn',
  async run({ scale, rounds }) {
    const comparisons = await onStage(
      ({ floor, product }) =>
        compare(rounds, { floor: () => measure(floor, scale), product: () => measure(product, scale) }),
      { agent: { script: ACP_AGENT, warm: false } },
    )
    return rowsOf(comparisons, {
      p50: { work: 'ACP agent: time to first token: p50', unit: 'µs', goal: 1.3, limit: 1.7 },
      cpu: { work: 'ACP agent: a token at full speed: CPU', unit: 'µs', goal: 1.4, limit: 2 },
    })
  },
}
