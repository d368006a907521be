/** A turn of the engine's own loop: time to the first token, tool calls inside a turn, tokens at full speed and at a pace. */
import { Page, type PageEvent } from '../page.js'
import { compare, type Comparison, type Figures } from '../rounds.js'
import { type Row, rowsOf, type Scenario, type ScenarioOptions } from '../scenario.js'
import { onStage, type Variant } from '../stage.js'
import { median } from '../statistics.js'
import { timeFirstTokens } from '../time-first-tokens.js'

const FIRST_TOKENS = 300
const TOOL_TURNS = 20
/** A turn may take 50 steps. */
const CALLS_A_TURN = 20
const TOKENS = 50_000
const PACED_TOKENS = 300
const PACE = 100
const STREAMS = 4

type Measure = (variant: Variant) => Promise<Figures>

function comparing({ rounds }: ScenarioOptions, measure: Measure): Promise<Record<string, Comparison>> {
  return onStage(({ floor, product }) =>
    compare(rounds, { floor: () => measure(floor), product: () => measure(product) }),
  )
}

async function withPage(variant: Variant, work: (page: Page) => Promise<Figures>): Promise<Figures> {
  const page = new Page(variant)
  await page.start()
  const figures = await work(page)
  await page.close()
  return figures
}

async function firstToken(options: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil(FIRST_TOKENS * options.scale)
  const comparisons = await comparing(options, (variant) =>
    withPage(variant, async (page) => ({ p50: median(await timeFirstTokens(page, count)) })),
  )
  return rowsOf(comparisons, { p50: { work: 'time to first token: p50', unit: 'µs', goal: 1.3, limit: 1.7 } })
}

async function callsInTurn(options: ScenarioOptions): Promise<Row[]> {
  const turns = Math.ceil(TOOL_TURNS * options.scale)
  const comparisons = await comparing(options, (variant) =>
    withPage(variant, async (page) => {
      const tookUs: number[] = []
      for (let turn = 0; turn < turns; turn += 1) {
        const before = performance.now()
        await page.turn(`call ${CALLS_A_TURN}`)
        tookUs.push(((performance.now() - before) * 1_000) / CALLS_A_TURN)
      }
      return { p50: median(tookUs) }
    }),
  )
  return rowsOf(comparisons, { p50: { work: 'a tool call inside a turn: p50', unit: 'µs', goal: 1.3, limit: 1.7 } })
}

async function fullSpeed(options: ScenarioOptions, streams: number): Promise<Row[]> {
  const count = Math.ceil(TOKENS * options.scale)
  const comparisons = await comparing(options, async (variant) => {
    const pages = Array.from({ length: streams }, () => new Page(variant))
    for (const page of pages) await page.start()
    await Promise.all(pages.map((page) => page.turn(`say ${Math.ceil(count / 10)}`)))
    const cpuBefore = variant.process.cpuUs()
    const before = performance.now()
    await Promise.all(pages.map((page) => page.turn(`say ${count}`)))
    const tookS = (performance.now() - before) / 1_000
    const cpu = (variant.process.cpuUs() - cpuBefore) / (count * streams)
    await Promise.all(pages.map((page) => page.close()))
    return { cpu, rate: (count * streams) / tookS }
  })
  const what = streams === 1 ? 'one stream' : `${streams} streams`
  return rowsOf(comparisons, {
    cpu: { work: `a token at full speed, ${what}: CPU`, unit: 'µs', goal: 1.4, limit: 2 },
    rate: { work: `tokens at full speed, ${what}`, unit: '/s', goal: 0.85, limit: 0.7 },
  })
}

/** Each token of the paced model says when it was written, by the clock that all processes of a machine share. */
function delayUs({ data, atMs }: PageEvent, nowMs: number): number {
  const arrivedUs = Number(process.hrtime.bigint() / 1_000n) - (nowMs - atMs) * 1_000
  return arrivedUs - Number(BigInt(/\d+/.exec(data)?.[0] ?? 0) / 1_000n)
}

async function paced(options: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil(PACED_TOKENS * options.scale)
  const comparisons = await comparing(options, (variant) =>
    withPage(variant, async (page) => {
      const tookUs: number[] = []
      const stop = page.on((event) => {
        if (event.event === 'chunk') tookUs.push(delayUs(event, performance.now()))
      })
      await page.turn(`say ${count} at ${PACE}`)
      stop()
      return { p50: median(tookUs) }
    }),
  )
  return rowsOf(comparisons, {
    p50: { work: `latency of a token at ${PACE} tokens/s: p50`, unit: 'µs', goal: 1.3, limit: 2 },
  })
}

export const turn: Scenario = {
  name: 'turn',
  async run(options) {
    const rows = [...(await firstToken(options)), ...(await callsInTurn(options))]
    rows.push(...(await fullSpeed(options, 1)), ...(await fullSpeed(options, STREAMS)), ...(await paced(options)))
    return rows
  },
}
