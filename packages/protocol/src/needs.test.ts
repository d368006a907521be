import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseNeeds } from './index.js'

describe('parseNeeds', () => {
  it.each([
    [
      { tools: true, images: '1', effort: 'deep', context: 8000 },
      { tools: true, images: true, effort: 'deep', context: 8000 },
    ],
    [
      { tools: 'true', context: '32000' },
      { tools: true, context: 32_000 },
    ],
    [{ tools: false, images: 'yes', effort: 'max', context: -1 }, undefined],
    [{ context: 99_000_000 }, { context: 10_000_000 }],
    [{ context: 0.2 }, { context: 1 }],
    [{ context: 'many' }, undefined],
    [{ gpu: true }, undefined],
    [null, undefined],
    [[], undefined],
    ['tools', undefined],
  ])('reads %j as %j', (value, needs) => {
    expect(parseNeeds(value)).toEqual(needs)
  })

  it('never throws, whatever a page sends', () => {
    fc.assert(fc.property(fc.anything(), (value) => void parseNeeds(value)))
  })
})
