// What a JSON text costs to parse, told without parsing it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasMoreParts } from './index.js'

/** Objects and lists in a value, counted on the value. */
function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + countParts(each), 1)
}

describe('hasMoreParts', () => {
  it('counts what is in any JSON text, whatever its texts hold', () => {
    const stringUnit = fc.constantFrom('[', '{', '"', '\\', ']', 'a', '\u0000')
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit }), fc.nat(2), (value, indent) => {
        const parts = countParts(value)
        const json = JSON.stringify(value, null, indent)
        expect(hasMoreParts(json, parts)).toBe(false)
        if (parts > 0) expect(hasMoreParts(json, parts - 1)).toBe(true)
      }),
    )
  })

  it.each(['', '"', '"\\', '{"', '"\\"[', '\\"', ']]]', '"""['])('says something of %j, which is no JSON', (text) => {
    expect(hasMoreParts(text, 1)).toBe(false)
  })
})
