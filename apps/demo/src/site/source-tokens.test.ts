import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sourceTokens } from './source-tokens.js'
import ownSource from './source-tokens.ts?raw'

const kinds = (source: string): string[] =>
  sourceTokens(source)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)

it('tells comments, texts and words of the language apart', () => {
  expect(kinds("/** A. */\nimport { a } from './a.js' // b 'c'\nconst d = `e`")).toEqual([
    ...['comment /** A. */', 'keyword import', 'keyword from', "string './a.js'", "comment // b 'c'"],
    ...['keyword const', 'string `e`'],
  ])
})

it('takes no part of a name, and no property, for a word of the language', () => {
  expect(kinds('constant.type, { type: newer }')).toEqual([])
})

it('loses nothing, whatever the text', () => {
  const joined = (source: string): string =>
    sourceTokens(source)
      .map(({ text }) => text)
      .join('')
  expect(joined(ownSource)).toBe(ownSource)
  const piece = fc.oneof(fc.string(), fc.constantFrom("'", '`', '/*', '*/', '//', '\n', 'const ', '\\'))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(joined(pieces.join(''))).toBe(pieces.join(''))
    }),
  )
})
