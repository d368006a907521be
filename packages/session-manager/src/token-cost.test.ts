// What a token costs must not grow with the length of the turn, and a long turn must not be held in many small pieces.
import { FakeSink, settle } from '@leuria/testing'
import { expect, it } from 'vitest'
import { NOTHING, originOf, Scene } from './scene.fixture.js'

const end = { type: 'turn_end', stopReason: 'end_turn' } as const

/** A reader that counts and throws away. */
class CountingSink extends FakeSink {
  chars = 0

  override write(text: string): boolean {
    this.chars += text.length
    return true
  }
}

/** Runs a turn of `count` tokens with one reader; CPU in µs a token. */
async function costOfTurn(count: number): Promise<number> {
  const scene = new Scene({ turns: [[{ type: 'flood', text: ' token', count, perTick: 50 }, end]] })
  const session = await scene.prepare().idle()
  const sink = new CountingSink()
  scene.manager.stream(session.owner, session.id, { sink })
  const before = process.cpuUsage()
  session.prompt('go')
  while (session.status === 'running') await new Promise((resolve) => setImmediate(resolve))
  const { user, system } = process.cpuUsage(before)
  expect(session.read().sink.events.at(-1)?.data).toMatchObject({ text: ' token'.repeat(count) })
  expect(sink.chars).toBeGreaterThan(count * ' token'.length)
  expect(await scene.leftovers()).toEqual(NOTHING)
  return (user + system) / count
}

it('costs the same a token in a turn of 50,000 as in one of 2,000', async () => {
  await costOfTurn(2_000) // warms up
  const short = Math.min(await costOfTurn(2_000), await costOfTurn(2_000))
  const long = Math.min(await costOfTurn(50_000), await costOfTurn(50_000))
  // Flat in truth; the bound is wide because the machine may be busy. Quadratic growth would be 25-fold.
  expect(long).toBeLessThan(3 * short + 2)
})

it('streams of 25 origins at once lose nothing', async () => {
  const turn = [{ type: 'flood', text: 'ab ', count: 200, perTick: 20 }, end] as const
  const scene = new Scene({ turns: [turn] })
  const sinks: FakeSink[] = []
  for (let site = 0; site < 100; site += 1) {
    const session = scene.prepare({ prompt: 'go' }, originOf(`https://site-${site >> 2}.example`))
    sinks.push(session.read().sink)
    session.approve()
  }
  expect(scene.manager.live()).toMatchObject({ sessions: 100, streams: 100 })
  while (sinks.some(({ names }) => names.at(-1) !== 'turn_completed')) await settle()
  for (const sink of sinks) expect(sink.text).toBe('ab '.repeat(200))
  expect(await scene.leftovers()).toEqual(NOTHING)
})
