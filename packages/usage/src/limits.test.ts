// What the visitor allows: each limit on both sides, and how long a site has to wait.
import { describe, expect, it } from 'vitest'
import { SESSION_WAIT_S } from './index.js'
import { BLOG, SHOP, turn, UsageScene } from './usage.fixture.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('a site without limits', () => {
  it('may do what it likes, and so may local programs', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    for (let count = 0; count < 500; count += 1) turn(usage, SHOP, 1_000_000)
    for (let count = 0; count < 500; count += 1) turn(usage, 'local', 1_000_000)
    for (const owner of [SHOP, 'local'] as const) {
      expect(usage.check(owner, 'turn')).toBeNull()
      expect(usage.check(owner, 'session')).toBeNull()
    }
    expect(usage.limits()).toEqual([])
    expect(usage.limitsOf(SHOP)).toEqual({})
  })
})

describe('turns an hour', () => {
  it('are taken up to the limit; one more has to wait until the first has left the hour', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { turnsPerHour: 2 })
    usage.turnStarted(SHOP)
    expect(usage.check(SHOP, 'turn')).toBeNull()
    scene.clock.advance(20 * MINUTE_MS)
    usage.turnStarted(SHOP)
    scene.clock.advance(10 * MINUTE_MS)
    expect(usage.check(SHOP, 'turn')).toEqual({
      limit: 'turnsPerHour',
      // The first began at 12:00 and counts for its minute and the 60 after it: until 13:01.
      retryAfterS: 31 * 60,
      message: 'The visitor lets this site start 2 turns an hour. Try again in 31 minutes.',
    })
    expect(usage.check(SHOP, 'session')).toMatchObject({ limit: 'turnsPerHour' })
    expect(usage.check(BLOG, 'turn')).toBeNull()
    scene.clock.advance(31 * MINUTE_MS - 1)
    expect(usage.check(SHOP, 'turn')).toMatchObject({ retryAfterS: 1, message: /in 1 second\.$/ })
    scene.clock.advance(1)
    expect(usage.check(SHOP, 'turn')).toBeNull()
    usage.turnStarted(SHOP)
    expect(usage.check(SHOP, 'turn')).toMatchObject({ retryAfterS: 20 * 60 })
  })

  it('count when they begin, whatever becomes of them', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { turnsPerHour: 1 })
    usage.turnStarted(SHOP)
    expect(usage.check(SHOP, 'turn')).not.toBeNull()
  })

  it('wait for as many to leave as a lowered limit asks for', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    for (let count = 0; count < 5; count += 1) {
      usage.turnStarted(SHOP)
      scene.clock.advance(MINUTE_MS)
    }
    await usage.changeLimits(SHOP, { turnsPerHour: 2 })
    // At 12:05; the fourth, of 12:03, has to leave too.
    expect(usage.check(SHOP, 'turn')).toMatchObject({ retryAfterS: 59 * 60 })
  })

  it('survive a restart', async () => {
    await using scene = await UsageScene.make()
    const before = await scene.open()
    await before.changeLimits(SHOP, { turnsPerHour: 1 })
    before.turnStarted(SHOP)
    await before.close()
    const after = await scene.open()
    scene.clock.advance(HOUR_MS)
    expect(after.check(SHOP, 'turn')).toMatchObject({ retryAfterS: 60 })
    scene.clock.advance(MINUTE_MS)
    expect(after.check(SHOP, 'turn')).toBeNull()
  })

  it('are not held against a site for longer because the computer’s date was set back', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { turnsPerHour: 1 })
    usage.turnStarted(SHOP)
    scene.clock.setDate(new Date(2026, 10, 30, 9, 0, 0))
    expect(usage.check(SHOP, 'turn')).toBeNull()
  })
})

describe('tokens a day', () => {
  it('are taken up to the limit; then the site waits for midnight, by the visitor’s own clock', async () => {
    await using scene = await UsageScene.make(new Date(2026, 10, 30, 22, 30, 0))
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { tokensPerDay: 1_000 })
    turn(usage, SHOP, 999)
    expect(usage.check(SHOP, 'turn')).toBeNull()
    turn(usage, SHOP, 1)
    expect(usage.check(SHOP, 'turn')).toEqual({
      limit: 'tokensPerDay',
      retryAfterS: 90 * 60,
      message: 'The visitor lets this site use 1000 tokens a day. Try again in 90 minutes.',
    })
    scene.clock.advance(90 * MINUTE_MS - 1)
    expect(usage.check(SHOP, 'turn')).toMatchObject({ retryAfterS: 1 })
    scene.clock.advance(1)
    expect(usage.check(SHOP, 'turn')).toBeNull()
    expect(usage.today(SHOP)).toMatchObject({ tokens: 0 })
  })

  it('survive a restart, and say hours when it takes that long', async () => {
    await using scene = await UsageScene.make()
    const before = await scene.open()
    await before.changeLimits(SHOP, { tokensPerDay: 10 })
    turn(before, SHOP, 10)
    await before.close()
    expect((await scene.open()).check(SHOP, 'turn')).toMatchObject({ message: /in 12 hours\.$/ })
  })

  it('of two engines on one home are added up', async () => {
    await using scene = await UsageScene.make()
    const [one, other] = [await scene.open(), await scene.open()]
    turn(one, SHOP, 5)
    turn(other, SHOP, 7)
    await one.flush()
    await other.flush()
    expect(other.today(SHOP)).toMatchObject({ turns: 2, tokens: 12 })
    await expect
      .poll(() => {
        scene.clock.advance(50)
        return one.today(SHOP).tokens
      })
      .toBe(12)
  })
})

describe('sessions at once', () => {
  it('are taken up to the limit; a place is free when one has ended', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { sessions: 2 })
    usage.sessionOpened(SHOP)
    expect(usage.check(SHOP, 'session')).toBeNull()
    usage.sessionOpened(SHOP)
    expect(usage.check(SHOP, 'session')).toEqual({
      limit: 'sessions',
      retryAfterS: SESSION_WAIT_S,
      message: 'The visitor lets this site have 2 sessions at once. Close one first.',
    })
    expect(usage.check(SHOP, 'turn')).toBeNull()
    usage.sessionEnded(SHOP)
    expect(usage.check(SHOP, 'session')).toBeNull()
  })

  it('that are as many as any site may hold are the sessions’ own business', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { sessions: 4 })
    for (let count = 0; count < 4; count += 1) usage.sessionOpened(SHOP)
    expect(usage.check(SHOP, 'session')).toBeNull()
  })
})

describe('changing limits', () => {
  it('sets, keeps what isn’t named, takes away by null, and forgets a site without any', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    expect(await usage.changeLimits(SHOP, { turnsPerHour: 5, sessions: 1 })).toEqual({ turnsPerHour: 5, sessions: 1 })
    expect(await usage.changeLimits(SHOP, { tokensPerDay: 9, sessions: null })).toEqual({
      turnsPerHour: 5,
      tokensPerDay: 9,
    })
    await usage.changeLimits(BLOG, { sessions: 1 })
    expect(usage.limits()).toEqual([
      { origin: SHOP, turnsPerHour: 5, tokensPerDay: 9 },
      { origin: BLOG, sessions: 1 },
    ])
    expect(await usage.changeLimits(BLOG, { sessions: null })).toEqual({})
    expect(usage.limits()).toHaveLength(1)
    expect(await usage.clearLimits(SHOP)).toBe(true)
    expect(await usage.clearLimits(SHOP)).toBe(false)
    expect(await scene.readJson('limits.json')).toEqual({ version: 1, limits: [] })
  })

  it('is seen by a running engine, whichever process does it', async () => {
    await using scene = await UsageScene.make()
    const [engine, command] = [await scene.open(), await scene.open()]
    engine.turnStarted(SHOP)
    await command.changeLimits(SHOP, { turnsPerHour: 1 })
    const look = () => {
      // The watcher gathers events for a moment of this clock.
      scene.clock.advance(50)
      return engine.check(SHOP, 'turn')
    }
    await expect.poll(look).not.toBeNull()
    await command.clearLimits(SHOP)
    await expect.poll(look).toBeNull()
  })

  it('keeps what other versions wrote; the later of two entries by hand counts', async () => {
    await using scene = await UsageScene.make()
    const odd = { origin: 'https://shop.example', turnsPerHour: 1, perWeek: 7 }
    const limits = [{ origin: 'https://shop.example', turnsPerHour: 9 }, odd]
    await scene.write('limits.json', JSON.stringify({ version: 1, limits, theme: 'dark' }))
    const usage = await scene.open()
    expect(usage.limitsOf(SHOP)).toEqual({ turnsPerHour: 1 })
    await usage.changeLimits(SHOP, { sessions: 3 })
    expect(await scene.readJson('limits.json')).toEqual({
      version: 1,
      limits: [{ ...odd, sessions: 3 }],
      theme: 'dark',
    })
  })

  it('refuses what is no limit; the old one still holds', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    await usage.changeLimits(SHOP, { sessions: 2 })
    for (const sessions of [0, -1, 1.5, 5, Number.NaN]) {
      await expect(usage.changeLimits(SHOP, { sessions })).rejects.toMatchObject({ code: 'invalid_value' })
    }
    expect(usage.limitsOf(SHOP)).toEqual({ sessions: 2 })
  })

  it('starts without limits when the file is damaged, says so, and keeps the file', async () => {
    await using scene = await UsageScene.make()
    await scene.write('limits.json', '{"version":1,"limits":[{"origin":"https://sho')
    expect((await scene.open()).limits()).toEqual([])
    expect(scene.warnings.join()).toMatch(/limits\.json/)
  })
})

it('tells of every change of limits, and no more after its undo', async () => {
  await using scene = await UsageScene.make()
  const usage = await scene.open()
  const seen: unknown[] = []
  const undo = usage.subscribeLimits(() => seen.push(usage.limits()))
  await usage.changeLimits(SHOP, { sessions: 2 })
  await usage.clearLimits(SHOP)
  undo()
  await usage.changeLimits(SHOP, { sessions: 1 })
  expect(seen).toEqual([[{ origin: SHOP, sessions: 2 }], []])
})
