import { describe, expect, it } from 'vitest'
import type { CallDelta } from './answer-chunk.js'
import { CallAssembler, MAX_CALLS_IN_ANSWER } from './call-assembler.js'

const tools = new Set(['search', 'get_cart'])

function assemble(...deltas: CallDelta[]) {
  const assembler = new CallAssembler((name) => tools.has(name))
  for (const delta of deltas) assembler.add(delta)
  return assembler.list().map(({ id, name, arguments: args }) => [id, name, args])
}

describe('pieces of tool calls', () => {
  it.each<[string, CallDelta[], [string, string, string][]]>([
    [
      'by index',
      [
        { index: 0, id: 'a', name: 'search' },
        { index: 1, id: 'b', name: 'get_cart' },
        { index: 0, arguments: '{"q":1}' },
        { index: 1, arguments: '{}' },
      ],
      [
        ['a', 'search', '{"q":1}'],
        ['b', 'get_cart', '{}'],
      ],
    ],
    [
      'by id, mixed',
      [
        { id: 'a', name: 'search' },
        { id: 'b', name: 'get_cart' },
        { id: 'a', arguments: '{}' },
      ],
      [
        ['a', 'search', '{}'],
        ['b', 'get_cart', ''],
      ],
    ],
    [
      'one index, two ids',
      [
        { index: 0, id: 'a', name: 'search', arguments: '{}' },
        { index: 0, id: 'b', name: 'search', arguments: '{}' },
      ],
      [
        ['a', 'search', '{}'],
        ['b', 'search', '{}'],
      ],
    ],
    [
      'a new id with each piece',
      [
        { index: 0, id: 'a', name: 'search', arguments: '{"q"' },
        { index: 0, id: 'b', arguments: ':1}' },
      ],
      [['a', 'search', '{"q":1}']],
    ],
    [
      'the name with each piece',
      [
        { name: 'search', arguments: '{"q"' },
        { name: 'search', arguments: ':1}' },
      ],
      [['', 'search', '{"q":1}']],
    ],
    [
      'the name once more at the end',
      [
        { index: 0, name: 'search', arguments: '{}' },
        { index: 0, name: 'search', arguments: '' },
      ],
      [['', 'search', '{}']],
    ],
    [
      'one tool twice, without ids',
      [
        { name: 'search', arguments: '{"q":1}' },
        { name: 'search', arguments: '{"q":2}' },
      ],
      [
        ['', 'search', '{"q":1}'],
        ['', 'search', '{"q":2}'],
      ],
    ],
    [
      'two tools without ids, one index',
      [
        { index: 0, name: 'get_cart' },
        { index: 0, name: 'search', arguments: '{}' },
      ],
      [
        ['', 'get_cart', ''],
        ['', 'search', '{}'],
      ],
    ],
    [
      'the name in pieces',
      [
        { index: 0, id: 'a', name: 'sea' },
        { index: 0, name: 'rch' },
        { index: 0, arguments: '{}' },
      ],
      [['a', 'search', '{}']],
    ],
    [
      'the id after the name',
      [
        { index: 0, name: 'search' },
        { index: 0, id: 'a', name: 'search', arguments: '{}' },
      ],
      [['a', 'search', '{}']],
    ],
    [
      'the index only later',
      [
        { id: 'a', name: 'search' },
        { index: 0, arguments: '{}' },
      ],
      [['a', 'search', '{}']],
    ],
    ['an object', [{ id: 'a', name: 'search', arguments: { q: 1 } }], [['a', 'search', '{"q":1}']]],
    [
      'the same object again',
      [
        { id: 'a', name: 'search', arguments: { q: 1 } },
        { id: 'a', arguments: { q: 1 } },
      ],
      [['a', 'search', '{"q":1}']],
    ],
    ['a call without a name is none', [{ id: 'a', arguments: '{}' }], []],
  ])('come together: %s', (_name, deltas, calls) => {
    expect(assemble(...deltas)).toEqual(calls)
  })

  it('are dropped beyond 128 calls', () => {
    const deltas = Array.from({ length: MAX_CALLS_IN_ANSWER + 1 }, (_, at) => ({ id: `c${at}`, name: 'search' }))
    expect(assemble(...deltas)).toHaveLength(MAX_CALLS_IN_ANSWER)
  })
})

describe('pieces made to take long', () => {
  /** What comes before a great many pieces, and the piece. Each of these took hours when every piece was parsed. */
  it.each<[string, CallDelta, CallDelta]>([
    [
      'closing brackets behind a long text, with the name each time',
      { index: 0, id: 'a', name: 'search', arguments: `{"q":"${'x'.repeat(3_000_000)}` },
      { index: 0, name: 'search', arguments: '}' },
    ],
    [
      'white space behind what looks like a whole object',
      { index: 0, id: 'a', name: 'search', arguments: `{${'x'.repeat(3_000_000)}}` },
      { index: 0, name: 'search', arguments: ' ' },
    ],
    ['a name without an end', { index: 0, id: 'a', name: 'n' }, { index: 0, name: 'never-a-tool-'.repeat(10) }],
  ])('takes %s', (_name, first, piece) => {
    const assembler = new CallAssembler((name) => tools.has(name))
    assembler.add(first)
    for (let count = 0; count < 200_000; count += 1) assembler.add(piece)
    expect(assembler.list().length).toBeLessThanOrEqual(MAX_CALLS_IN_ANSWER)
    expect(assembler.list()[0]?.name.length).toBeLessThan(1_000)
  })
})
