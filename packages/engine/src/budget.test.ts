/** The visitor's limits for a site, through a whole engine: what the page is told, and what the app and the files say. */
import type { SiteLimits } from '@leuria/protocol'
import { fakeClock, scriptedAgent, type TurnScript } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { type Call, EVIL, oneAgent, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { connectSite, type TestSession } from './site.fixture.js'

/** Two minutes to one, in the visitor's own time zone: neither the hour nor the day ends in a test. */
const clock = () => fakeClock(new Date(2026, 10, 30, 12, 58, 0))

const ANSWER: TurnScript = [
  { type: 'text', text: 'four' },
  { type: 'usage', inputTokens: 90, outputTokens: 10 },
  { type: 'turn_end', stopReason: 'end_turn' },
]

/** A connected site with limits, whose AI answers every prompt at once. */
async function limitedSite(limits: SiteLimits, script = ANSWER) {
  const test = await openTestEngine({ clock: clock(), agents: oneAgent(scriptedAgent({ turns: () => script })) })
  const site = await connectSite(test)
  await test.engine.usage.changeLimits(SHOP, limits)
  const prepare = (body: unknown = {}) => test.call('/session/prepare', { origin: SHOP, token: site.token, body })
  return { test, site, prepare }
}

const overBudget = (error: RegExp) => ({
  status: 429,
  json: {
    error: expect.stringMatching(error) as unknown,
    code: 'over_budget',
    retryAfterS: expect.any(Number) as unknown,
  },
})

async function runTurn(session: TestSession, step: 'approve' | 'prompt', count = 1): Promise<void> {
  expect(await session.act(step, step === 'prompt' ? { prompt: 'more' } : {})).toMatchObject({ status: 200 })
  await expect
    .poll(() => session.events.filter(({ event }) => event === 'turn_completed').length, { interval: 5 })
    .toBe(count)
}

describe('sessions at once', () => {
  it('are refused with 429, over_budget and the seconds to wait, in words a page can read', async () => {
    const { test, site, prepare } = await limitedSite({ sessions: 1 })
    await using _ = test
    const session = await site.prepare()
    const refused = await prepare()
    expect(refused).toMatchObject(overBudget(/1 session at once/))
    expect(refused.headers['retry-after']).toBe(String((refused.json as { retryAfterS: number }).retryAfterS))
    expect(refused.headers['access-control-allow-origin']).toBe(SHOP)
    await session.act('close')
    expect((await prepare()).status).toBe(201)
  })

  it('are nobody else’s', async () => {
    const { test, site } = await limitedSite({ sessions: 1 })
    await using _ = test
    await site.prepare()
    await (await connectSite(test, EVIL)).prepare()
    for (let count = 0; count < 2; count += 1)
      expect((await test.call('/session/prepare', { method: 'POST', body: {} })).status).toBe(201)
  })
})

describe('turns an hour', () => {
  it('are refused at prepare, approve and prompt, and taken again when the hour is over', async () => {
    const { test, site, prepare } = await limitedSite({ turnsPerHour: 2 })
    await using _ = test
    const [session, waiting] = [await site.prepare({ prompt: 'hello' }), await site.prepare({ prompt: 'hello' })]
    await runTurn(session, 'approve')
    await runTurn(session, 'prompt', 2)
    for (const refused of [
      await session.act('prompt', { prompt: 'more' }),
      await waiting.act('approve'),
      await prepare(),
    ])
      expect(refused).toMatchObject(overBudget(/2 turns an hour/))
    expect(await session.info()).toMatchObject({ status: 'idle' })
    expect(await waiting.info()).toMatchObject({ status: 'pending_approval' })
    await test.engine.usage.changeLimits(SHOP, { turnsPerHour: 3 })
    await runTurn(session, 'prompt', 3)
  })

  it('don’t hide what is wrong with the request itself, nor whose session it is', async () => {
    const { test, site } = await limitedSite({ turnsPerHour: 1 })
    await using _ = test
    const evil = await connectSite(test, EVIL)
    const session = await site.prepare({ prompt: 'hello' })
    await runTurn(session, 'approve')
    expect(await session.act('approve')).toMatchObject({ status: 400 })
    expect(await session.act('prompt', { prompt: ' ' })).toMatchObject({ status: 400 })
    const foreign = { origin: EVIL, token: evil.token, body: { prompt: 'x' } }
    expect(await test.call(`/session/${session.id}/prompt`, foreign)).toMatchObject({ status: 404 })
    await session.act('close')
    expect(await session.act('prompt', { prompt: 'x' })).toMatchObject({ status: 400 })
  })

  it('count a warm start as none', async () => {
    const { test, site } = await limitedSite({ turnsPerHour: 1 })
    await using _ = test
    const session = await site.prepare()
    await session.act('approve')
    await session.until('ready')
    expect(test.engine.usage.today(SHOP)).toMatchObject({ turns: 0 })
    await runTurn(session, 'prompt')
  })
})

describe('tokens a day', () => {
  it('are the AI’s own figures; a turn that has begun goes on to its end', async () => {
    const { test, site } = await limitedSite({ tokensPerDay: 150 })
    await using _ = test
    const session = await site.prepare({ prompt: 'hello' })
    await runTurn(session, 'approve')
    await runTurn(session, 'prompt', 2)
    expect(await session.act('prompt', { prompt: 'more' })).toMatchObject(overBudget(/150 tokens a day/))
    expect(test.engine.usage.today(SHOP)).toEqual({ origin: SHOP, turns: 2, tokens: 200, estimatedTokens: 0 })
  })

  it('are estimated by length, and marked as such, when the AI gives none', async () => {
    const script = ANSWER.filter(({ type }) => type !== 'usage')
    const { test, site } = await limitedSite({ tokensPerDay: 3 }, script)
    await using _ = test
    const session = await site.prepare({ prompt: '12345678' })
    await runTurn(session, 'approve')
    expect(test.engine.usage.today(SHOP)).toEqual({ origin: SHOP, turns: 1, tokens: 3, estimatedTokens: 3 })
    expect(await session.act('prompt', { prompt: 'more' })).toMatchObject({ status: 429 })
  })

  it('of a turn that failed or was cut short count too', async () => {
    const { test, site } = await limitedSite({}, [{ type: 'text', text: '12345678' }, { type: 'hang' }])
    await using _ = test
    const session = await site.prepare({ prompt: '1234' })
    await session.act('approve')
    await session.until('chunk')
    await session.act('close')
    expect(test.engine.usage.today(SHOP)).toMatchObject({ turns: 1, tokens: 3 })
  })
})

it('still knows what was used after a restart', async () => {
  const { test, site } = await limitedSite({ turnsPerHour: 1 })
  await using _ = test
  const session = await site.prepare({ prompt: 'hello' })
  await runTurn(session, 'approve')
  await test.restart()
  const refused = await test.call('/session/prepare', { origin: SHOP, token: site.token, body: {} })
  expect(refused).toMatchObject(overBudget(/1 turn an hour/))
})

describe('the desktop app', () => {
  const ADMIN = 'admin-token-of-at-least-32-characters'
  const admin = (test: TestEngine, path: string, call: Call = {}) =>
    test.call(`/admin${path}`, { token: ADMIN, ...call })

  it('sets, lists and clears limits, and sees what was used', async () => {
    await using test = await openTestEngine({ mode: 'app', adminToken: ADMIN, clock: clock() })
    const origin = SHOP
    expect(await admin(test, '/limits', { body: { origin, sessions: 1 } })).toMatchObject({ status: 404 })
    await test.engine.grants.issue({ origin })
    const set = await admin(test, '/limits', {
      body: { origin: 'HTTPS://Shop.Example/', turnsPerHour: 5, sessions: 2 },
    })
    expect(set).toMatchObject({ status: 200, json: { origin, turnsPerHour: 5, sessions: 2 } })
    expect((await admin(test, '/limits', { body: { origin, sessions: null } })).json).toEqual({
      origin,
      turnsPerHour: 5,
    })
    expect((await admin(test, '/limits')).json).toEqual({ limits: [{ origin, turnsPerHour: 5 }] })
    for (const wrong of [{ sessions: 0 }, { sessions: 5 }, { turnsPerHour: 1.5 }, { tokensPerDay: '9' }])
      expect(await admin(test, '/limits', { body: { origin, ...wrong } })).toMatchObject({ status: 400 })
    expect(await admin(test, '/limits', { body: { origin: 'file:///etc', sessions: 1 } })).toMatchObject({
      status: 400,
    })
    expect((await admin(test, `/limits?origin=${origin}`, { method: 'DELETE' })).json).toEqual({ removed: true })
    expect((await admin(test, `/limits?origin=${origin}`, { method: 'DELETE' })).json).toEqual({ removed: false })
    expect(await admin(test, '/limits?origin=x', { method: 'DELETE' })).toMatchObject({ status: 400 })
    test.engine.usage.turnStarted(origin)
    expect((await admin(test, '/usage')).json).toEqual({
      days: [{ day: '2026-11-30', sites: [{ origin, turns: 1, tokens: 0, estimatedTokens: 0 }] }],
    })
  })
})
