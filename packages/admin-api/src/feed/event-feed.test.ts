/** The window's feed with sinks that can stall: numbers, coming back, falling behind, ends. */
import type { AdminEvent } from '@leuria/protocol'
import { FakeSink, fakeClock } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { EventFeed } from '../index.js'

const ais: AdminEvent = { event: 'ais' }
const agent = (id: string): AdminEvent => ({ event: 'agent', id, name: id.toUpperCase() })

function scene(limits: ConstructorParameters<typeof EventFeed>[0]['limits'] = {}) {
  const clock = fakeClock()
  return { clock, feed: new EventFeed({ clock, limits }) }
}

function read(feed: EventFeed, lastEventId?: string): FakeSink & { leave: () => void } {
  const sink = new FakeSink()
  return Object.assign(sink, { leave: feed.stream(sink, lastEventId) })
}

describe('a new reader', () => {
  it('is told from where on it misses nothing, and then every event with its name and number', () => {
    const { feed } = scene()
    feed.publish(ais)
    const sink = read(feed)
    feed.publish(agent('demo'))
    expect(sink.state).toBe('open')
    expect(sink.events).toEqual([
      { id: expect.stringMatching(/\.1$/) as unknown, event: 'open', data: { event: 'open' } },
      { id: expect.stringMatching(/\.2$/) as unknown, event: 'agent', data: agent('demo') },
    ])
  })

  it('is refused when there are too many, and let in when one has left', () => {
    const { feed } = scene({ maxReaders: 2 })
    const first = read(feed)
    read(feed)
    expect(() => read(feed)).toThrowError(expect.objectContaining({ code: 'too_many', retryAfterS: 5 }) as Error)
    first.leave()
    expect(read(feed).names).toEqual(['open'])
  })
})

describe('a reader that comes back', () => {
  it('gets exactly what it missed', () => {
    const { feed } = scene()
    const before = read(feed)
    feed.publish(agent('a'))
    before.leave()
    feed.publish(agent('b'))
    feed.publish(agent('c'))
    expect(read(feed, before.lastId).events.map(({ data }) => data)).toEqual([agent('b'), agent('c')])
  })

  it('is told to read anew when more was missed than is kept, and not one event sooner', () => {
    const { feed } = scene({ maxEvents: 3 })
    const { lastId, leave } = read(feed)
    leave()
    for (const id of ['a', 'b', 'c']) feed.publish(agent(id))
    expect(read(feed, lastId).names).toEqual(['agent', 'agent', 'agent'])
    feed.publish(agent('d'))
    expect(read(feed, lastId).names).toEqual(['reset'])
  })

  it.each(['', 'other.1', 'nonsense', 'a.b.c', `x.${'9'.repeat(40)}`])('is told so for the id %j, too', (id) => {
    const { feed } = scene()
    feed.publish(ais)
    expect(read(feed, id).names).toEqual(['reset'])
  })

  it("is told so with another engine's id, or one that was never given", () => {
    const { feed } = scene()
    const mine = read(feed).lastId ?? ''
    feed.publish(ais)
    expect(read(scene().feed, mine).names).toEqual(['reset'])
    expect(read(feed, mine.replace(/\d+$/, '2')).names).toEqual(['reset'])
    expect(read(feed, mine).names).toEqual(['ais'])
  })
})

describe('a slow reader', () => {
  it('holds no text, goes on where it was, and slows nobody down', () => {
    const { feed } = scene()
    const slow = read(feed)
    const quick = read(feed)
    slow.stall()
    for (const id of ['a', 'b', 'c']) feed.publish(agent(id))
    expect([slow.events.length, quick.events.length]).toEqual([2, 4])
    slow.resume()
    expect(slow.names).toEqual(['open', 'agent', 'agent', 'agent'])
  })

  it('that fell behind what is kept is told to read anew, once', () => {
    const { feed } = scene({ maxEvents: 2 })
    const slow = read(feed)
    slow.stall()
    for (const id of ['a', 'b', 'c', 'd']) feed.publish(agent(id))
    slow.resume()
    expect(slow.names).toEqual(['open', 'agent', 'reset'])
    feed.publish(ais)
    expect(slow.names.at(-1)).toBe('ais')
  })

  it('is cut after a minute, not before; one that reads gets heartbeats', () => {
    const { feed, clock } = scene()
    const slow = read(feed)
    const quick = read(feed)
    slow.stall()
    feed.publish(ais)
    clock.advance(59_999)
    expect(slow.state).toBe('open')
    clock.advance(1)
    clock.advance(15_000)
    expect([slow.state, quick.state, feed.readers]).toEqual(['cut', 'open', 1])
    expect(quick.reader.comments).toBe(5)
  })

  it('costs memory by events and by characters only', () => {
    const { feed } = scene({ maxChars: 1_000 })
    const { lastId, leave } = read(feed)
    leave()
    feed.publish(agent('x'.repeat(300)))
    expect(read(feed, lastId).names).toEqual(['agent'])
    feed.publish(agent('y'.repeat(300)))
    expect(read(feed, lastId).names).toEqual(['reset'])
  })
})

it('outlives a sink that throws', () => {
  const { feed } = scene()
  const broken = new FakeSink()
  feed.stream(broken)
  broken.write = () => {
    throw new Error('gone')
  }
  const fine = read(feed)
  feed.publish(ais)
  expect([fine.names.at(-1), feed.readers]).toEqual(['ais', 1])
})

it('keeps no timer without readers, and ends them all when it closes', () => {
  const { feed, clock } = scene()
  const sink = read(feed)
  sink.leave()
  expect(clock.pending).toBe(0)
  const last = read(feed)
  feed.close()
  expect([last.state, clock.pending, feed.readers]).toEqual(['ended', 0, 0])
  expect(() => read(feed)).toThrow()
})
