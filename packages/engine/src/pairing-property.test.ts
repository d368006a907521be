/** Random sequences of links, claims, answers, time, revocations and restarts, through whole engines over HTTP. */
import { type Origin, parseOrigin } from '@leuria/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PairingWorld, type Step } from './pairing-world.fixture.js'

/** Both modes together make the 200 sequences that `npm test` runs. */
const RUNS = 100
const SITES = 2
/** Fewer than would fill the 20 questions that may be open; letting them run out takes a while. */
const RUNS_BETWEEN_RESTS = 8

const site = fc.nat(SITES - 1)
const nonce = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('link' as const, 'claim'), site, nonce }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('decide' as const), site, allow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hang_up' as const), site }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('revoke' as const, 'revoke_elsewhere'), site }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 25_000, 30_000, 300_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

/** What usually happens, so that tokens come about often; anything may fall in between. */
const usual: fc.Arbitrary<Step[]> = fc.record({ site, nonce }).map((named) => [
  { do: 'link', ...named },
  { do: 'claim', ...named },
  { do: 'decide', site: named.site, allow: true },
  { do: 'claim', ...named },
])
const steps = fc
  .array(fc.oneof({ weight: 3, arbitrary: step.map((one) => [one]) }, { weight: 2, arbitrary: usual }), {
    minLength: 3,
    maxLength: 7,
  })
  .map((parts) => parts.flat())

/** Sites that no other run knows. */
function freshSites(run: number): Origin[] {
  return Array.from({ length: SITES }, (_, at) => parseOrigin(`https://s${at}.run${run}.example`) ?? expect.fail())
}

describe.each(['page', 'app'] as const)('any sequence of events, %s mode', (mode) => {
  it(
    'delivers a token at most once, to the named origin with the latest nonce, and after a revoke no request with it succeeds',
    { timeout: 120_000 },
    async () => {
      const world = new PairingWorld(mode)
      await world.open()
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(steps, async (sequence) => {
            const sites = freshSites(run++)
            for (const next of sequence) {
              await world.take(next, sites)
              await world.check(sites)
            }
            if (run % RUNS_BETWEEN_RESTS !== 0) return
            await world.rest()
            await world.check(sites)
          }),
          { numRuns: RUNS, endOnFailure: true },
        )
      } finally {
        await world.close()
      }
      // A test of tokens that never sees one would prove nothing.
      expect(world.delivered).toBeGreaterThan(RUNS / 2)
    },
  )
})
