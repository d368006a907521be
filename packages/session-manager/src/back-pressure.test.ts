// Readers that read slowly or not at all (issue C 3: a bounded buffer; the others don't notice).
import { FakeSink, settle } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { NOTHING, Scene, type SceneOptions } from './scene.fixture.js'

let scene: Scene
function begin(options?: SceneOptions): Scene {
  scene = new Scene(options)
  return scene
}
afterEach(async () => expect(await scene.leftovers()).toEqual(NOTHING))

const EMPTY_CHUNK = 'event: chunk\ndata: ""\nid: 2\n\n'.length

describe('a reader that stops reading', () => {
  it('is written to no more, costs nothing, and gets everything when it reads again', async () => {
    const session = await begin().prepare().running()
    const slow = session.read().sink
    const quick = session.read().sink
    slow.stall()
    scene.agent.turn.text('first ')
    await settle()
    for (let count = 0; count < 100; count += 1) {
      scene.agent.turn.text(`${count} `)
      await settle()
    }
    expect(slow.text).toBe('first ')
    slow.resume()
    expect(slow.text).toBe(quick.text)
    scene.agent.turn.text('last').end()
    await settle()
    expect(slow.events).toEqual(quick.events)
  })

  it('may come back in the middle of a tick: what comes before and after it in the tick arrives once', async () => {
    const session = await begin().prepare().running()
    const { sink } = session.read()
    const log = scene.requests[0]?.log ?? (() => undefined)
    sink.stall()
    log('fills it')
    await settle()
    log('before')
    sink.resume()
    log('after')
    await settle()
    log('next tick')
    await settle()
    expect(sink.events.slice(1).map(({ data }) => data)).toEqual(['fills it', 'before', 'after', 'next tick'])
  })

  it('is dropped when more than the limit came meanwhile and it has had a second; the others don’t notice', async () => {
    const session = await begin({ limits: { maxBehindChars: 10_000 } })
      .prepare()
      .running()
    const stalled = session.read().sink
    const other = session.read().sink
    stalled.stall()
    scene.agent.turn.text('fills it')
    await settle()
    scene.agent.turn.text('x'.repeat(10_000 - EMPTY_CHUNK))
    await settle()
    await scene.clock.advanceAsync(60_000)
    expect(stalled.state).toBe('open')
    scene.agent.turn.text('y')
    await settle()
    expect(stalled.state).toBe('cut')
    expect(stalled.writes).toHaveLength(2)
    expect(scene.manager.live().streams).toBe(1)
    stalled.resume()
    expect(stalled.writes).toHaveLength(2)
    scene.agent.turn.end()
    await settle()
    expect(other.names.at(-1)).toBe('turn_completed')
  })

  it('is not dropped by a burst it had no time to read; a heartbeat later it is', async () => {
    const flood = [{ type: 'flood', text: 'word ', count: 1_000 }, { type: 'hang' }] as const
    const session = await begin({ turns: [flood, flood], limits: { maxBehindChars: 10_000 } })
      .prepare()
      .idle()
    const slow = session.read().sink
    slow.stall()
    session.prompt('go')
    await settle()
    expect(slow.state).toBe('open')
    slow.resume()
    expect(slow.text).toBe('word '.repeat(1_000))
    slow.stall()
    session.cancelTurn()
    session.prompt('again')
    await settle()
    expect(slow.state).toBe('open')
    await scene.clock.advanceAsync(15_000)
    expect(slow.state).toBe('cut')
  })

  it('slowly but steadily is never dropped, however far it is behind', async () => {
    const session = await begin({ limits: { maxBehindChars: 1_000 } })
      .prepare()
      .running()
    const slow = session.read().sink
    slow.stall()
    let sent = ''
    for (let count = 0; count < 200; count += 1) {
      const piece = `${count} `.repeat(50)
      sent += piece
      scene.agent.turn.text(piece)
      await scene.clock.advanceAsync(900)
      if (count % 2 === 1) {
        slow.resume()
        slow.stall()
      }
    }
    slow.resume()
    expect(slow.state).toBe('open')
    expect(slow.text).toBe(sent)
  })

  it('gets a long replay piece by piece, only as fast as it reads', async () => {
    const flood = [{ type: 'flood', text: 'word ', count: 20_000 }, { type: 'hang' }] as const
    const session = await begin({ turns: [flood] })
      .prepare({ prompt: 'go' })
      .idle()
    const { sink } = session.read()
    expect(sink.text).toBe('word '.repeat(20_000))
    expect(sink.writes.length).toBeGreaterThan(5)
    const late = new FakeSink()
    late.stall()
    scene.manager.stream(session.owner, session.id, { sink: late })
    let writes = late.writes.length
    expect(writes).toBe(1)
    while (late.text.length < 100_000) {
      late.resume()
      late.stall()
      expect(late.writes.length).toBeGreaterThan(writes)
      writes = late.writes.length
    }
    expect(late.text).toBe(sink.text)
  })

  it('gets the end of its session when it reads again; if it never does, it is cut when the session is forgotten', async () => {
    const session = await begin().prepare().running()
    const [back, gone] = [session.read().sink, session.read().sink]
    back.stall()
    gone.stall()
    scene.agent.turn.text('a')
    await settle()
    scene.agent.turn.text('b').end()
    await settle()
    session.close()
    await settle()
    expect(back.state).toBe('open')
    back.resume()
    expect(back.names).toEqual(['webmcp_ready', 'chunk', 'chunk', 'turn_completed', 'completed'])
    expect(back.state).toBe('ended')
    await scene.clock.advanceAsync(5 * 60_000)
    expect(gone.state).toBe('cut')
  })

  it('is dropped when its place is no longer kept: it would miss events without a word', async () => {
    const session = await begin({ limits: { keepChars: 0 } })
      .prepare()
      .running()
    const { sink } = session.read()
    sink.stall()
    scene.agent.turn.text('a')
    await settle()
    for (let turn = 0; turn < 3; turn += 1) {
      scene.agent.turn.text('b').end()
      await settle()
      session.prompt('next')
      await settle()
    }
    sink.resume()
    expect(sink.state).toBe('cut')
    expect(sink.text).toBe('a')
  })
})
