/** A page tool call, beside so many tools that the page has. */
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { McpCaller } from '../mcp-caller.js'
import { Page } from '../page.js'
import { onStage, type Variant } from '../stage.js'

const CALLS = 3_000

async function costOfCall(product: Variant, tools: number, count: number): Promise<number> {
  const page = new Page(product)
  await page.start({ tools })
  const caller = new McpCaller(product.port, page)
  await caller.start()
  const cost = await cpuPerUnit(product.process, { times: count, work: () => caller.call() })
  caller.close()
  await page.close()
  return cost
}

export const callsByTools: GrowthScenario = {
  name: 'calls-by-tools',
  run: ({ scale, rounds }) =>
    onStage(({ product }) =>
      measureGrowth(rounds, {
        work: 'CPU of a page tool call, by tools of the page',
        unit: 'µs',
        goal: 1.2,
        sizes: [1, 50, 500],
        cost: (size) => costOfCall(product, size, Math.ceil(CALLS * scale)),
      }),
    ),
}
