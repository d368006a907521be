/** A page's tool called through the MCP endpoint by a thin client: one at a time, eight in flight, with a large result. */
import { McpCaller } from '../mcp-caller.js'
import { measureCalls } from '../measure-calls.js'
import { Page, type PageOptions } from '../page.js'
import { compare, type Figures } from '../rounds.js'
import { type Row, rowsOf, type Scenario, type ScenarioOptions } from '../scenario.js'
import { onStage, type Variant } from '../stage.js'

const CALLS = 4_000
const LARGE_BYTES = 100_000
const LARGE_CALLS = 400
const IN_FLIGHT = 8

interface Load extends PageOptions {
  count: number
  inFlight?: number
}

async function measure(variant: Variant, { count, inFlight = 1, ...options }: Load): Promise<Figures> {
  const page = new Page(variant)
  await page.start(options)
  const caller = new McpCaller(variant.port, page, inFlight)
  await caller.start()
  const figures = await measureCalls(variant, { count, inFlight, call: () => caller.call() })
  caller.close()
  await page.close()
  return { ...figures, memory: variant.process.memoryKb() }
}

function measureLoad(
  { rounds }: ScenarioOptions,
  load: Load,
): Promise<Record<string, Awaited<ReturnType<typeof compare>>[string]>> {
  return onStage(({ floor, product }) =>
    compare(rounds, { floor: () => measure(floor, load), product: () => measure(product, load) }),
  )
}

async function small(options: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil(CALLS * options.scale)
  return rowsOf(await measureLoad(options, { count, result: 'a'.repeat(100) }), {
    p50: { work: 'page tool call, 100 B, one at a time: p50', unit: 'µs', goal: 1.3, limit: 2.4 },
    cpu: { work: 'page tool call, 100 B: CPU', unit: 'µs', goal: 1.6, limit: 3 },
  })
}

async function inFlight(options: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil(CALLS * options.scale)
  return rowsOf(await measureLoad(options, { count, inFlight: IN_FLIGHT, result: 'a'.repeat(100) }), {
    rate: { work: `page tool calls, ${IN_FLIGHT} in flight`, unit: '/s', goal: 0.85, limit: 0.5 },
  })
}

async function large(options: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil(LARGE_CALLS * options.scale)
  return rowsOf(await measureLoad(options, { count, result: 'a'.repeat(LARGE_BYTES) }), {
    p50: { work: 'page tool call, 100 KB: p50', unit: 'µs', goal: 1.15, limit: 1.4 },
    memory: { work: 'memory after calls of 100 KB', unit: 'KB', goal: 1.35, limit: 1.7 },
  })
}

async function manyTools(options: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil((CALLS / 4) * options.scale)
  return rowsOf(await measureLoad(options, { count, tools: 500, result: 'a'.repeat(100) }), {
    p50: { work: 'page tool call beside 499 other tools: p50', unit: 'µs', goal: 1.3, limit: 2.4 },
  })
}

export const toolCall: Scenario = {
  name: 'tool-call',
  async run(options) {
    const rows: Row[] = []
    for (const part of [small, inFlight, large, manyTools]) rows.push(...(await part(options)))
    return rows
  },
}
