/** A KB of a tool's result, by how large the result is. */
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { McpCaller } from '../mcp-caller.js'
import { Page } from '../page.js'
import { onStage, type Variant } from '../stage.js'

const KB = 1_000
/** In all; each size is called as often as makes this. */
const TOTAL_KB = 40_000

async function costOfKb(product: Variant, sizeKb: number, totalKb: number): Promise<number> {
  const page = new Page(product)
  await page.start({ result: 'a'.repeat(sizeKb * KB) })
  const caller = new McpCaller(product.port, page)
  await caller.start()
  const times = Math.ceil(totalKb / sizeKb)
  const cost = await cpuPerUnit(product.process, { times, units: sizeKb, work: () => caller.call() })
  caller.close()
  await page.close()
  return cost
}

export const resultByBytes: GrowthScenario = {
  name: 'result-by-bytes',
  run: ({ scale, rounds }) =>
    onStage(({ product }) =>
      measureGrowth(rounds, {
        work: "CPU of a KB of a tool's result, by the result's KB",
        unit: 'µs',
        goal: 1.2,
        sizes: [100, 500, 2_000],
        cost: (size) => costOfKb(product, size, TOTAL_KB * scale),
      }),
    ),
}
