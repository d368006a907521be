import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LeuriaError } from '../errors.js'
import { createAnswerReader } from './answer-reader.js'

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\r\n\r\n`

const call = (piece: object) => chunk({ tool_calls: [piece] })

/** Everything at once: reasoning, text of several bytes a character, two calls in pieces, a comment, the end. */
const STREAM = [
  ': hello\n\n',
  chunk({ reasoning_content: 'grübeln' }),
  chunk({ content: '北京' }),
  chunk({ content: '🌍' }),
  call({ index: 0, id: 'a', function: { name: 'get_cart', arguments: '{"w":"é' } }),
  call({ index: 0, function: { arguments: '🌍"}' } }),
  call({ index: 1, id: 'b', function: { name: 'add', arguments: '' } }),
  chunk({}, 'tool_calls'),
  'data: [DONE]\n\n',
].join('')

/** What is heard when the bytes come in these pieces. */
function read(pieces: readonly Uint8Array[]) {
  let text = ''
  let thought = ''
  const reader = createAnswerReader(
    (delta) => (text += delta),
    (delta) => (thought += delta),
  )
  for (const piece of pieces) reader.push(piece)
  if (!reader.ended) reader.push()
  const calls = reader.calls.map(({ id, name, args }) => ({ id, name, args }))
  return { text, thought, calls, ended: reader.ended, finish: reader.finish }
}

/** The bytes, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...[...places].sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

describe('the bytes of an answer', () => {
  const whole = new TextEncoder().encode(STREAM)
  const places = fc.array(fc.nat(whole.length), { maxLength: 40 })

  it('mean the same however the network cuts them', () => {
    const expected = {
      text: '北京🌍',
      thought: 'grübeln',
      calls: [
        { id: 'a', name: 'get_cart', args: '{"w":"é🌍"}' },
        { id: 'b', name: 'add', args: '' },
      ],
      ended: true,
      finish: 'tool_calls',
    }
    expect(read([whole])).toEqual(expected)
    expect(read([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(expected)
    fc.assert(
      fc.property(places, (at) => {
        expect(read(cut(whole, at))).toEqual(expected)
      }),
    )
  })

  it('are read or refused, whatever they are', () => {
    const garbled = fc
      .tuple(places, fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 10 }))
      .map(([at, changes]) => {
        const bytes = whole.slice()
        for (const [place, byte] of changes) bytes[place] = byte
        return cut(bytes, at)
      })
    const anything = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.oneof(garbled, anything), (pieces) => {
        try {
          expect(typeof read(pieces).text).toBe('string')
        } catch (error) {
          const isExpected = error instanceof LeuriaError || String(error) === 'Error: The answer broke off.'
          expect(isExpected, String(error)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
