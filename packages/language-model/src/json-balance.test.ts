import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonBalance } from './json-balance.js'

/** Whether the object is complete after each piece. */
function completeAfter(pieces: readonly string[]): boolean[] {
  const balance = new JsonBalance()
  return pieces.map((piece) => {
    balance.take(piece)
    return balance.complete
  })
}

describe('the end of a JSON object in pieces', () => {
  it('is where the text becomes a whole object, however it is cut', () => {
    const stringUnit = fc.constantFrom('[', '}', '"', '\\', ']', 'a')
    const object = fc.dictionary(fc.string({ unit: stringUnit }), fc.jsonValue({ maxDepth: 3, stringUnit }))
    fc.assert(
      fc.property(object, fc.nat(2), (value, indent) => {
        const pieces = [...` ${JSON.stringify(value, null, indent)}\n`]
        const end = pieces.lastIndexOf('}')
        expect(completeAfter(pieces)).toEqual(pieces.map((_, at) => at >= end))
      }),
    )
  })

  it.each(['', ' ', '[]', '7', '"{}"', '{', '{}{}', '{} x', '{}}', '}{', 'x{}', '{"}'])('is not in %j', (text) => {
    expect(completeAfter([text])).toEqual([false])
  })
})
