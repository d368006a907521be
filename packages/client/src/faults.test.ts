import { type FakeEngineOptions, pageScene } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { BridgeClient, type BridgeEvent } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

/** Small and repeatable (mulberry32): a red round is found again by its seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Engines that tell a returning page, one way or another, what it missed of a finished turn. */
const ENGINES: readonly FakeEngineOptions[] = [
  { ids: true, replayCompletion: true },
  { replayLastTurn: true },
  { replayCompletion: true, extras: true },
  { replayLastTurn: true, replayCompletion: true, delivery: 'coalesced' },
  { ids: true, replayLastTurn: true, replayCompletion: true, delivery: 'bytewise' },
]

const TURNS = 3

async function round(seed: number): Promise<void> {
  const pick = random(seed)
  await using page = await pageScene((parts) => new BridgeClient(parts), ENGINES[pick(ENGINES.length)])
  const { engine, clock } = page
  let calls = 0
  const tool = { name: 'count', execute: () => `(${(calls += 1)})` }
  const events: BridgeEvent[] = []
  const starting = page.client.startSession({ tools: [tool], onEvent: (event) => events.push(event) })
  const session = await starting
  const { channel } = engine.session
  const faults = [
    () => engine.cutConnections(),
    () => page.network.cut(),
    () => channel.drop(),
    () => page.tab.signal('show'),
    () => page.tab.signal('visible'),
    () => engine.faults.cutStreams.push(pick(400)),
    () => (engine.faults.refuseStreams = pick(2)),
    () => (engine.faults.refuseChannels = pick(2)),
    () => undefined,
  ]
  let expected = ''
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const before = events.length
    const asked = session.prompt(`say ha ha ha\nhold\nsay ho 🙂\nhold\ncall count\nsay end`)
    await page.until(() => {
      clock.advance(10)
      expect(session.status).toBe('running')
    })
    await asked
    expected += `ha ha haho 🙂`
    for (let step = 0; step < 2; step += 1) {
      await engine.puppet.held()
      faults[pick(faults.length)]?.()
      if (pick(2) === 0) await page.until(() => clock.advance(pick(600)))
      if (step === 1)
        await page.until(() => {
          clock.advance(10)
          expect(channel.connected).toBe(true)
        })
      engine.puppet.release()
    }
    await page.until(() => {
      clock.advance(10)
      expect([session.status, session.error]).toEqual(['idle', null])
    })
    expected += `(${turn})end`
    const names = events.slice(before).map(({ event }) => event)
    const text = events.map((each) => (each.event === 'chunk' ? each.data : '')).join('')
    expect({ seed, text, ends: names.filter((name) => name === 'turn_completed').length }).toEqual({
      seed,
      text: expected,
      ends: 1,
    })
    expect({ seed, starts: names.filter((name) => name === 'turn_start').length }).toEqual({ seed, starts: 1 })
  }
  expect({ seed, calls }).toEqual({ seed, calls: TURNS })
  await session.close()
  page.client.destroy()
  // What was being waited for ends by itself within seconds.
  await page.until(() => {
    clock.advance(1_000)
    expect(clock.pending).toBe(0)
  })
}

/** 25 are enough to notice; `LEURIA_FAULT_ROUNDS=1000` looks harder. */
const ROUNDS = Number(process.env.LEURIA_FAULT_ROUNDS ?? 25)

describe('connections that are cut at random', () => {
  it(
    'lose no piece of a text, double none, and leave nothing behind',
    { timeout: 60_000 + ROUNDS * 10_000 },
    async () => {
      for (let seed = 1; seed <= ROUNDS; seed += 1) await round(seed)
    },
  )
})
