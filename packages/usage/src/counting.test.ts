// What is counted, where it is kept, and that counting never waits for a disk.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { nodeFs } from '@leuria/state'
import { settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { USAGE_KEEP_DAYS, USAGE_WRITE_DELAY_MS } from './index.js'
import { BLOG, NOON, SHOP, turn, UsageScene } from './usage.fixture.js'

const DAY_MS = 24 * 60 * 60_000

describe('tokens', () => {
  it.each([
    ['the AI’s own figures', { inputTokens: 100, outputTokens: 20 }, [120, 0]],
    ['none: estimated from the texts’ lengths', null, [1 + 3, 4]],
    ['one figure: the other part is estimated', { outputTokens: 20 }, [21, 1]],
    ['figures that can’t be', { inputTokens: -1, outputTokens: Number.NaN }, [4, 4]],
    ['figures of zero', { inputTokens: 0, outputTokens: 0 }, [0, 0]],
  ] as const)('%s', async (_, figures, [tokens, estimatedTokens]) => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    usage.turnStarted(SHOP)
    usage.turnEnded(SHOP, { promptChars: 4, textChars: 9, usage: figures })
    expect(usage.today(SHOP)).toEqual({ origin: SHOP, turns: 1, tokens, estimatedTokens })
  })
})

describe('usage', () => {
  it('is kept by day and site, newest day first, and survives a restart', async () => {
    await using scene = await UsageScene.make()
    const before = await scene.open()
    turn(before, SHOP, 10)
    turn(before, 'local', 1)
    scene.forward(DAY_MS)
    turn(before, SHOP, 20)
    turn(before, BLOG, 30)
    const days = [
      {
        day: '2026-12-01',
        sites: [
          { origin: SHOP, turns: 1, tokens: 20, estimatedTokens: 0 },
          { origin: BLOG, turns: 1, tokens: 30, estimatedTokens: 0 },
        ],
      },
      {
        day: '2026-11-30',
        sites: [
          { origin: SHOP, turns: 1, tokens: 10, estimatedTokens: 0 },
          { origin: 'local', turns: 1, tokens: 1, estimatedTokens: 0 },
        ],
      },
    ]
    expect(before.days()).toEqual(days)
    await before.close()
    expect((await scene.open()).days()).toEqual(days)
  })

  it('is forgotten after its days, and its minutes after an hour', async () => {
    await using scene = await UsageScene.make()
    const usage = await scene.open()
    for (let day = 0; day < USAGE_KEEP_DAYS + 3; day += 1) {
      turn(usage, SHOP, day + 1)
      await usage.flush()
      scene.forward(DAY_MS)
    }
    expect(usage.days()).toHaveLength(USAGE_KEEP_DAYS)
    expect(usage.days().at(-1)?.sites[0]?.tokens).toBe(4)
    expect(await scene.readJson('usage.json')).toMatchObject({ recent: [{ origin: SHOP, turns: 1 }] })
  })

  it('is in a private file, which keeps what other versions wrote', async () => {
    await using scene = await UsageScene.make()
    const site = { origin: SHOP, turns: 1, tokens: 5, estimatedTokens: 0, cost: 0.5 }
    const old = { version: 1, days: [{ day: '2026-11-30', sites: [site], mood: 'fine' }], theme: 'dark' }
    await scene.write('usage.json', JSON.stringify(old))
    const usage = await scene.open()
    turn(usage, SHOP, 5)
    await usage.flush()
    expect(await scene.readJson('usage.json')).toMatchObject({
      theme: 'dark',
      days: [{ day: '2026-11-30', mood: 'fine', sites: [{ ...site, turns: 2, tokens: 10 }] }],
    })
    expect((await stat(join(scene.home, 'usage.json'))).mode & 0o777).toBe(0o600)
  })

  it('is written a while after it was counted, many counts in one write', async () => {
    await using scene = await UsageScene.make()
    let writes = 0
    const rename = async (from: string, to: string): Promise<void> => {
      writes += 1
      await nodeFs.rename(from, to)
    }
    const usage = await scene.open({ ...nodeFs, rename })
    for (let count = 0; count < 1_000; count += 1) turn(usage, SHOP, 1)
    expect(usage.today(SHOP)).toMatchObject({ turns: 1_000, tokens: 1_000 })
    await settle()
    expect(writes).toBe(0)
    scene.clock.advance(USAGE_WRITE_DELAY_MS)
    await usage.flush()
    expect(writes).toBe(1)
    expect(usage.today(SHOP)).toMatchObject({ turns: 1_000, tokens: 1_000 })
    expect(await scene.readJson('usage.json')).toMatchObject({ days: [{ sites: [{ turns: 1_000, tokens: 1_000 }] }] })
  })

  it('is kept in memory while the disk takes nothing, told once, and written when it does', async () => {
    await using scene = await UsageScene.make()
    let full = true
    const rename = (from: string, to: string): Promise<void> =>
      full ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : nodeFs.rename(from, to)
    const usage = await scene.open({ ...nodeFs, rename })
    await usage.changeLimits(SHOP, { tokensPerDay: 1 }).catch(() => undefined)
    for (let count = 1; count <= 3; count += 1) {
      turn(usage, SHOP, 1)
      await usage.flush()
      expect(usage.today(SHOP)).toMatchObject({ turns: count, tokens: count })
    }
    expect(scene.warnings.filter((line) => line.includes('use'))).toHaveLength(1)
    full = false
    scene.clock.advance(60_000)
    await usage.flush()
    expect(await scene.readJson('usage.json')).toMatchObject({ days: [{ sites: [{ turns: 3, tokens: 3 }] }] })
  })

  it('loses and doubles nothing, whatever is counted, written and opened in whichever order', async () => {
    const step = fc.constantFrom('shop', 'blog', 'flush', 'flush other', 'minute', 'day')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using scene = await UsageScene.make(NOON)
        const [usage, other] = [await scene.open(), await scene.open()]
        const counted = { [SHOP]: 0, [BLOG]: 0 }
        const writing: Promise<void>[] = []
        for (const [at, what] of steps.entries()) {
          if (what === 'minute') scene.forward(60_000)
          else if (what === 'day') scene.forward(DAY_MS)
          else if (what === 'flush') writing.push(usage.flush())
          else if (what === 'flush other') await other.flush()
          else {
            const site = what === 'shop' ? SHOP : BLOG
            turn(at % 2 === 0 ? usage : other, site, 3)
            counted[site] = (counted[site] ?? 0) + 1
          }
        }
        await Promise.all([...writing, usage.close()])
        await other.close()
        const reader = await scene.open()
        const days = reader.days()
        await reader.close()
        for (const site of [SHOP, BLOG]) {
          const all = days.flatMap(({ sites }) => sites.filter(({ origin }) => origin === site))
          expect(all.reduce((sum, { turns }) => sum + turns, 0)).toBe(counted[site])
          expect(all.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(3 * (counted[site] ?? 0))
        }
        expect(scene.clock.pending).toBe(0)
      }),
      { numRuns: 15 },
    )
  })
})
