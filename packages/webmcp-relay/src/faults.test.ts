// A page that drops, stalls, comes back, answers late and twice, while an AI calls its tools: seeded, over real sockets.
import { type Clock, systemClock } from '@leuria/clock'
import { describe, expect, it } from 'vitest'
import type { FakePage } from '@leuria/testing'
import { type BareAnswer, type BareTarget, post, rpc } from './mcp-bare.fixture.js'
import { relayServer } from './relay-server.fixture.js'

/** 20 rounds here; `FAULT_ROUNDS=1000` for a long run. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20)
const CALLS = 16
const FAULTS = 8
/** What a round may take altogether, in ms: the waits inside add up to far less. */
const ROUND_LIMIT_MS = 60_000

/** Mulberry32: small, seeded, good enough to pick faults. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The real clock, counting timers that are set and neither fired nor cancelled. */
function countingClock(): Clock & { readonly pending: number } {
  const timers = new Set<object>()
  return {
    ...systemClock,
    setTimer(delayMs, fire) {
      const timer = {}
      timers.add(timer)
      const cancel = systemClock.setTimer(delayMs, () => {
        timers.delete(timer)
        fire()
      })
      return () => {
        timers.delete(timer)
        cancel()
      }
    },
    get pending() {
      return timers.size
    },
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !holds(); tries += 1) await sleep(2)
  expect(holds()).toBe(true)
}

/** The AI's side: a call over MCP that gives up after a while. `null`: it gave up. */
async function callOverMcp(
  target: BareTarget,
  { n, random }: { n: number; random: () => number },
): Promise<BareAnswer | null> {
  await sleep(random() * 120)
  const signal = AbortSignal.timeout(300 + Math.floor(random() * 200))
  const accept = random() < 0.5 ? 'application/json, text/event-stream' : 'application/json'
  const body = rpc('tools/call', { name: 'work', arguments: { n } }, n)
  return post(target, body, { headers: { accept }, signal }).catch(() => null)
}

/** The page's side: one fault after the other. */
async function misbehave(page: FakePage, random: () => number): Promise<void> {
  const faults: (() => unknown)[] = [
    () => {
      page.drop()
    },
    () => page.openChannel().catch(() => undefined),
    () => {
      page.answerCount = 1 + Math.floor(random() * 3)
    },
    () => {
      page.answersPings = !page.answersPings
    },
    () => {
      page.answer('nobody', { result: 1 })
    },
    () => {
      page.sendRaw('{"type":')
    },
  ]
  for (let count = 0; count < FAULTS; count += 1) {
    await sleep(random() * 30)
    await faults[Math.floor(random() * faults.length)]?.()
    if (page.open) continue
    await sleep(random() * 80)
    await page.reconnect().catch(() => undefined)
  }
}

/** Fails one call in eight; one in ten stalls until the AI gives up. */
async function work(n: number, random: () => number): Promise<string> {
  await sleep(random() < 0.1 ? 1_000 : random() * 30)
  if (random() < 0.125) throw new Error(`failed ${n}`)
  return `done ${n}`
}

const FAILURE = /^(failed \d+$|The page is not connected|The connection to the page was lost)/

function checkAnswer({ text, json }: BareAnswer, n: number): void {
  expect(text.match(/"jsonrpc"/g)).toHaveLength(1)
  const { id, result } = json as { id: number; result: { isError?: boolean; content: [{ text: string }] } }
  expect(id).toBe(n)
  if (result.isError === true) expect(result.content[0].text).toMatch(FAILURE)
  else expect(result.content[0].text).toBe(`done ${n}`)
}

async function playRound(seed: number): Promise<void> {
  const random = randomFrom(seed)
  const clock = countingClock()
  const server = await relayServer({
    clock,
    limits: { reconnectGraceMs: 60, closeGraceMs: 50, keepAliveMs: 20, pingMs: 25 },
  })
  const runs = new Map<number, number>()
  const { channel, page } = await server.page({
    tools: {
      work: {
        inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        run: (args) => {
          const { n } = args as { n: number }
          runs.set(n, (runs.get(n) ?? 0) + 1)
          return work(n, random)
        },
      },
    },
  })
  const target = { url: server.mcpUrl, token: channel.agentToken }
  const calls = Array.from({ length: CALLS }, (_, n) => callOverMcp(target, { n, random }))
  await misbehave(page, random)
  for (const [n, answer] of (await Promise.all(calls)).entries()) {
    if (answer !== null) checkAnswer(answer, n)
    expect(runs.get(n) ?? 0).toBeLessThanOrEqual(2)
  }
  await until(() => server.relay.counts().openCalls === 0 && server.relay.counts().mcp === 0)
  channel.close('end of the round')
  await until(() => clock.pending === 0 && !page.open)
  expect(server.relay.counts()).toEqual({ channels: 0, registerSockets: 0, openCalls: 0, mcp: 0 })
  expect(server.log).toEqual([])
}

/** Rounds mostly wait: several at once are as good, and faster. */
const AT_ONCE = 10
const batches = Array.from({ length: Math.ceil(ROUNDS / AT_ONCE) }, (_, at) => at * AT_ONCE)

describe('a page that misbehaves in every way', () => {
  it.each(batches)(
    'every call ends once and nothing is left, seeds from %i',
    async (first) => {
      const seeds = Array.from({ length: Math.min(AT_ONCE, ROUNDS - first) }, (_, at) => first + at)
      await Promise.all(seeds.map(playRound))
    },
    ROUND_LIMIT_MS,
  )
})
