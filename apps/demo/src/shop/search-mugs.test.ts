import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATALOGUE, COLOURS } from './catalogue.js'
import { PATTERNS, SHAPES } from './mug-look.js'
import { searchMugs } from './search-mugs.js'

const ids = (filter: Parameters<typeof searchMugs>[0]): string[] => searchMugs(filter).mugs.map((mug) => mug.id)

describe('searching mugs', () => {
  it.each([
    ['blue mug', ['harbour', 'midnight', 'tidepool']],
    ['Blue Mugs, please', ['tidepool', 'harbour', 'midnight']],
    ['espresso', ['snowdrop']],
    ['large', ['tidepool']],
    ['something with stars', ['midnight']],
    ['celadon', ['celadon']],
    ['gray', ['fog', 'celadon']],
  ])('finds %s', (query, expected) => {
    expect(ids({ query }).sort()).toEqual([...expected].sort())
  })

  it('puts the name before the sentence', () => {
    expect(ids({ query: 'harbour' })[0]).toBe('harbour')
    expect(ids({ query: 'white' })[0]).toBe('oat')
  })

  it.each(['', 'mugs', 'all the mugs', '   ', '!?'])('shows everything for "%s"', (query) => {
    expect(ids({ query })).toEqual(CATALOGUE.map((mug) => mug.id))
  })

  it('says so when nothing has all the words', () => {
    const found = searchMugs({ query: 'blue elephant' })
    expect(found.isExact).toBe(false)
    expect(found.mugs.map((mug) => mug.id)).toEqual(expect.arrayContaining(['harbour', 'midnight']))
    expect(searchMugs({ query: 'elephant' })).toEqual({ mugs: [], isExact: true })
  })

  it('keeps to colour, price and stock, at each side of the limit', () => {
    expect(ids({ colour: 'yellow' })).toEqual(['lemon'])
    expect(ids({ colour: 'yellow', onlyInStock: true })).toEqual([])
    expect(ids({ maxPrice: 19 })).toEqual(['terracotta'])
    expect(ids({ maxPrice: 18.99 })).toEqual([])
  })

  it('never throws and never invents a mug', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.option(fc.constantFrom(...COLOURS), { nil: undefined }),
        (query, colour) => {
          const { mugs } = searchMugs({ query, colour })
          expect(new Set(mugs).size).toBe(mugs.length)
          expect(mugs.every((mug) => CATALOGUE.includes(mug))).toBe(true)
        },
      ),
    )
  })
})

describe('the catalogue', () => {
  it('has a dozen mugs with ids and names of their own', () => {
    expect(CATALOGUE).toHaveLength(12)
    expect(new Set(CATALOGUE.map((mug) => mug.id)).size).toBe(12)
    expect(new Set(CATALOGUE.map((mug) => mug.name)).size).toBe(12)
  })

  it('uses every shape and pattern that can be drawn', () => {
    expect(new Set(CATALOGUE.map(({ look }) => look.shape))).toEqual(new Set(SHAPES))
    expect(new Set(CATALOGUE.map(({ look }) => look.pattern))).toEqual(new Set(PATTERNS))
  })
})
