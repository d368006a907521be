import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseParser, type SseEvent } from './sse-parser.js'

const encoder = new TextEncoder()

function parse(pieces: readonly Uint8Array[]): SseEvent[] {
  const events: SseEvent[] = []
  const parser = createSseParser((event) => events.push(event))
  for (const piece of pieces) parser.push(piece)
  return events
}

const parseText = (text: string): SseEvent[] => parse([encoder.encode(text)])

/** Cuts bytes at the given places, wherever they fall: inside a character too. */
function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

describe('the event stream parser', () => {
  it('reads names, data and ids', () => {
    expect(parseText('event: chunk\ndata: "ha"\nid: 7\n\nevent: ready\ndata: null\n\n')).toEqual([
      { event: 'chunk', data: '"ha"', id: '7' },
      { event: 'ready', data: 'null', id: null },
    ])
  })

  it.each([
    ['joins several data lines', 'data: a\ndata: b\n\n', [{ event: 'message', data: 'a\nb', id: null }]],
    ['drops one space after the colon, not two', 'data:  a\n\n', [{ event: 'message', data: ' a', id: null }]],
    ['needs no space', 'event:x\ndata:a\n\n', [{ event: 'x', data: 'a', id: null }]],
    ['takes a field without a colon as empty', 'data\n\n', [{ event: 'message', data: '', id: null }]],
    [
      'ignores comments, retry and unknown fields',
      ': hi\nretry: 9\nmoon: 1\ndata: a\n\n',
      [{ event: 'message', data: 'a', id: null }],
    ],
    ['ignores an event without data', 'event: x\n\n', []],
    ['ignores an id with a NUL', 'id: a\0b\ndata: x\n\n', [{ event: 'message', data: 'x', id: null }]],
    ['drops what has no end', 'data: a\n', []],
    [
      'ends lines at CR, LF and CRLF',
      'data: a\r\ndata: b\rdata: c\n\r\n',
      [{ event: 'message', data: 'a\nb\nc', id: null }],
    ],
    ['skips a byte order mark', '\uFEFFdata: a\n\n', [{ event: 'message', data: 'a', id: null }]],
  ])('%s', (_, text, events) => {
    expect(parseText(text)).toEqual(events)
  })

  it('gives the same events however the bytes are split, inside characters and line ends too', () => {
    const data = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => JSON.stringify(text))
    const event = fc.record({
      event: fc.constantFrom('chunk', 'ready', 'größe'),
      data,
      id: fc.option(fc.integer({ min: 1 }).map(String)),
    })
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(fc.array(event), ends, fc.array(fc.nat()), (events, end, cuts) => {
        const lines = events.flatMap(({ event, data, id }) => [
          `event: ${event}`,
          ...(id === null ? [] : [`id: ${id}`]),
          `data: ${data}`,
          ': beat',
          '',
        ])
        const bytes = encoder.encode(lines.map((line) => line + end).join(''))
        expect(parse(split(bytes, cuts))).toEqual(events)
      }),
    )
  })

  it('never throws and never loops, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (pieces) => {
        expect(Array.isArray(parse(pieces))).toBe(true)
      }),
    )
  })

  it('keeps an event as long as the limit, and refuses a longer one', () => {
    const read = (length: number): number => {
      let events = 0
      const parser = createSseParser(() => (events += 1), 20)
      parser.push(encoder.encode(`data: ${'a'.repeat(length - 6)}`))
      parser.push(encoder.encode('\n\ndata: b\n\n'))
      return events
    }
    expect(read(20)).toBe(2)
    expect(() => read(21)).toThrow(RangeError)
  })

  it('notices heartbeats', () => {
    const parser = createSseParser(() => undefined)
    parser.push(encoder.encode('data: a\n\n'))
    expect(parser.commented()).toBe(false)
    parser.push(encoder.encode(': beat\n\n'))
    expect(parser.commented()).toBe(true)
  })
})
