/** When the default AI has a program standing ready. */
import { fakeClock } from '@leuria/testing'
import { expect, it } from 'vitest'
import { warmKeeper } from './keep-warm.js'

const MINUTE_MS = 60_000

function scene(wanted: string | null = 'mine') {
  const clock = fakeClock()
  const asked: (string | null)[] = []
  const world = { wanted }
  const keeper = warmKeeper({
    clock,
    wanted: () => world.wanted,
    keepWarm: (id) => {
      asked.push(id)
      return Promise.resolve()
    },
  })
  /** What was asked for since the last time. */
  const news = (): (string | null)[] => asked.splice(0)
  return { clock, world, keeper, news }
}

it('stands from the start on and is looked after every minute, until 15 minutes without use', () => {
  const { clock, keeper, news } = scene()
  keeper.start()
  expect(news()).toEqual(['mine'])
  clock.advance(MINUTE_MS - 1)
  expect(news()).toEqual([])
  for (let minute = 1; minute < 15; minute += 1) clock.advance(minute === 1 ? 1 : MINUTE_MS)
  expect(news()).toEqual(Array<string>(14).fill('mine'))
  clock.advance(MINUTE_MS)
  expect(news()).toEqual([null])
  clock.advance(60 * MINUTE_MS)
  expect(news()).toEqual([])
})

it('comes back with the next use, and each use lets it stay longer', () => {
  const { clock, keeper, news } = scene()
  keeper.start()
  clock.advance(20 * MINUTE_MS)
  expect(news().at(-1)).toBeNull()
  keeper.used()
  expect(news()).toEqual(['mine'])
  clock.advance(14 * MINUTE_MS)
  keeper.used()
  clock.advance(14 * MINUTE_MS)
  expect(news()).toEqual(Array<string>(28).fill('mine'))
  clock.advance(MINUTE_MS)
  expect(news()).toEqual([null])
})

it('follows what is wanted: another agent, or none, in which case nothing is ever asked for', () => {
  const { clock, world, keeper, news } = scene()
  keeper.start()
  world.wanted = 'other'
  keeper.changed()
  world.wanted = null
  keeper.changed()
  keeper.changed()
  keeper.used()
  clock.advance(60 * MINUTE_MS)
  expect(news()).toEqual(['mine', 'other', null])
  world.wanted = 'mine'
  keeper.changed()
  expect(news()).toEqual(['mine'])
  const idle = scene(null)
  idle.keeper.start()
  idle.keeper.used()
  idle.clock.advance(60 * MINUTE_MS)
  expect(idle.news()).toEqual([])
})

it('does nothing before the start or after the end', () => {
  const { clock, keeper, news } = scene()
  keeper.used()
  keeper.changed()
  expect(news()).toEqual([])
  keeper.start()
  expect(news()).toEqual(['mine'])
  keeper.close()
  keeper.close()
  keeper.used()
  keeper.changed()
  clock.advance(60 * MINUTE_MS)
  expect(news()).toEqual([])
})
