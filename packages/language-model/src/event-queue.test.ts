import { settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { EventQueue } from './event-queue.js'

const queue = (onLeave: () => void = () => undefined): EventQueue<number> => new EventQueue(onLeave)

describe('event queue', () => {
  it('hands over in order, before and after the reader waits', async () => {
    const events = queue()
    events.push(1)
    const seen: number[] = []
    const reading = (async () => {
      for await (const event of events) seen.push(event)
    })()
    await settle()
    events.push(2)
    events.push(3)
    events.end()
    await reading
    expect(seen).toEqual([1, 2, 3])
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('throws its error after the last event, once', async () => {
    const events = queue()
    events.push(1)
    events.end({ error: new Error('broken') })
    events.end()
    expect(await events.next()).toEqual({ done: false, value: 1 })
    await expect(events.next()).rejects.toThrow('broken')
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('tells the maker to wait at 1,024 events, and to go on when they are read', async () => {
    const events = queue()
    for (let event = 0; event < 1_023; event += 1) events.push(event)
    expect(events.room()).toBeNull()
    events.push(1_023)
    let room = false
    void events.room()?.then(() => (room = true))
    for (let event = 0; event < 1_024; event += 1) expect((await events.next()).value).toBe(event)
    await settle()
    expect(room).toBe(false)
    void events.next()
    await settle()
    expect(room).toBe(true)
  })

  it('keeps nothing that was read, even if it is never empty', async () => {
    const events = queue()
    events.push(-1)
    for (let event = 0; event < 5_000; event += 1) {
      events.push(event)
      expect((await events.next()).value).toBe(event - 1)
    }
  })

  it('takes back what was not read', async () => {
    const events = queue()
    for (const event of [1, 2, 3]) events.push(event)
    await events.next()
    events.discard((event) => event === 2)
    expect((await events.next()).value).toBe(3)
  })

  it('tells when its reader leaves, and lets a waiting maker go on', async () => {
    let left = false
    const events = queue(() => (left = true))
    for (let event = 0; event < 2_000; event += 1) events.push(event)
    const room = events.room()
    for await (const _event of events) break
    await room
    expect(left).toBe(true)
    expect(events.room()).toBeNull()
  })
})
