import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCallArguments } from './call-arguments.js'

const value = (text: string): unknown => {
  const read = readCallArguments(text)
  return read.ok ? read.value : 'refused'
}

describe('arguments of a call', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['{}', {}],
    ['{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
  ])('reads %j', (text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  it.each([
    ["{'query': 'blue mug'}", { query: 'blue mug' }],
    ['{query: "blue mug"}', { query: 'blue mug' }],
    ['{"query": "blue mug",}', { query: 'blue mug' }],
    ['{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
    ['{"text": "two\nlines"}', { text: 'two\nlines' }],
    ['{\\"a\\":1}', { a: 1 }],
    ['{“a”: “x”}', { a: 'x' }],
  ])('repairs %j to the same value', (text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  it.each([
    '{"query":"blue',
    '{"query":"blue mug"',
    '{"query":"blue}',
    '{"a": 1 "b": 2}',
    '{"a":{"b":1}',
    '{"a":}',
    '{"a": undefined}',
    '{"a":1}{"b":2}',
    '{"a":1}}',
    '{"a":[1,2,...]}',
    "{'q': 'it's here'}",
    "{'q': 'it's Bob's'}",
    '{"a":"x" + "y"}',
    '{"a":1 /* or 2 */}',
    '[1]',
    '"text"',
    '5',
    'true',
    'search for a mug',
    '{',
    '}',
  ])('refuses %j', (text) => {
    expect(value(text)).toBe('refused')
  })

  const plain = fc
    .jsonValue({ maxDepth: 3 })
    .filter((json) => typeof json === 'object' && json !== null && !Array.isArray(json))

  it('gives back every object that is valid JSON', () => {
    fc.assert(
      fc.property(plain, (json) => {
        expect(value(JSON.stringify(json))).toEqual(JSON.parse(JSON.stringify(json)))
      }),
    )
  })

  it('never gives another value for an object that was cut off', () => {
    fc.assert(
      fc.property(plain, fc.nat(), (json, at) => {
        const text = JSON.stringify(json)
        const cut = text.slice(0, 1 + (at % Math.max(1, text.length - 1)))
        if (cut === text) return
        expect(value(cut)).toBe('refused')
      }),
    )
  })

  it('gives the same value or none after usual slips', () => {
    const word = fc.stringMatching(/^[a-z][a-z ]{0,12}[a-z]$/)
    const object = fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.array(word)), {
      minKeys: 1,
    })
    const slips: ((text: string) => string)[] = [
      (text) => text.replaceAll('"', "'"),
      (text) => text.replace(/\}$/, ',}'),
      (text) => text.replace(/"([a-z]+)":/g, '$1:'),
      (text) => text.replaceAll(':true', ':True').replaceAll(':null', ':None'),
      (text) => text.replaceAll(',"', ' "'),
      (text) => `\`\`\`json\n${text}\n\`\`\``,
    ]
    fc.assert(
      fc.property(object, fc.subarray(slips), (json, chosen) => {
        const read = value(chosen.reduce((text, slip) => slip(text), JSON.stringify(json)))
        if (read !== 'refused') expect(read).toEqual(json)
      }),
    )
  })

  it('does not repair what is very long', () => {
    expect(value(`{'a':'${'x'.repeat(200_000)}'}`)).toBe('refused')
  })
})
