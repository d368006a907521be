import { describe, expect, it } from 'vitest'
import { FakeSink, readEvents, SseReader } from './index.js'

const TEXT = ': hello\n\nevent: chunk\ndata: "a"\nid: 7\n\nevent: ready\ndata: null\n\n'

describe('reading server-sent events', () => {
  it('gives whole events, however the text is cut', () => {
    for (let size = 1; size <= TEXT.length; size += 1) {
      const reader = new SseReader()
      for (let at = 0; at < TEXT.length; at += size) reader.push(TEXT.slice(at, at + size))
      expect(reader.events).toEqual([
        { id: '7', event: 'chunk', data: 'a' },
        { event: 'ready', data: null },
      ])
      expect(reader.comments).toBe(1)
      expect(reader.rest).toBe('')
    }
  })

  it('reads a body in bytes, with characters cut in two', async () => {
    const bytes = new TextEncoder().encode('event: chunk\ndata: "é€😀"\n\n')
    const body = (async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte)
    })()
    const events = []
    for await (const event of readEvents(body)) events.push(event)
    expect(events).toEqual([{ event: 'chunk', data: 'é€😀' }])
  })

  it('keeps what a sink was given, and stalls on demand', () => {
    const sink = new FakeSink()
    let drained = 0
    sink.open()
    sink.onDrain(() => (drained += 1))
    expect(sink.write(TEXT)).toBe(true)
    sink.stall()
    expect(sink.write('event: chunk\ndata: "b"\nid: 8\n\n')).toBe(false)
    sink.resume()
    expect(drained).toBe(1)
    expect([sink.text, sink.lastId, sink.names, sink.writes.length, sink.state]).toEqual([
      'ab',
      '8',
      ['chunk', 'ready', 'chunk'],
      2,
      'open',
    ])
  })
})
