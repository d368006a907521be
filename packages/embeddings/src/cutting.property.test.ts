import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchesOf } from './batches.js'
import { cutText } from './cut-text.js'

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
/** Any UTF-16 units: pairs, halves, everything. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom('a', '🦊', '\ud83e', '\udd8a', 'é')).map((parts) => parts.join('')),
)

describe('cutText', () => {
  it('never is longer than allowed, never has half a character, and keeps as much as fits', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const cut = cutText(text, limit)
        expect(cut.length).toBeLessThanOrEqual(limit)
        expect(isWellFormed(cut)).toBe(true)
        if (isWellFormed(text)) {
          expect(text.startsWith(cut)).toBe(true)
          if (cut !== text) expect(cut.length).toBeGreaterThanOrEqual(limit - 1)
        }
      }),
    )
  })
})

describe('batchesOf', () => {
  it('covers every text once, in order, within the limits wherever it can', () => {
    const limits = fc.record({
      maxTexts: fc.integer({ min: 1, max: 10 }),
      maxCharacters: fc.integer({ min: 1, max: 30 }),
    })
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }), limits, (texts, limit) => {
        const batches = batchesOf(texts, limit)
        expect(batches.flatMap(({ from, to }) => texts.slice(from, to))).toEqual(texts)
        for (const { from, to } of batches) {
          const size = texts.slice(from, to).join('').length
          expect(to).toBeGreaterThan(from)
          expect(to - from).toBeLessThanOrEqual(limit.maxTexts)
          expect(size <= limit.maxCharacters || to - from === 1).toBe(true)
        }
      }),
    )
  })
})
