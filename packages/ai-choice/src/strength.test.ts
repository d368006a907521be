import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBillions, tierOf } from './index.js'

describe('parseBillions', () => {
  it.each([
    ['27B', 27],
    ['8x7B', 56],
    ['500M', 0.5],
    ['1.5 b', 1.5],
    [' 3.2B ', 3.2],
    ['1T', 1_000],
  ])('reads %j as %d', (text, billions) => {
    expect(parseBillions(text)).toBeCloseTo(billions)
  })

  it.each(['', 'B', '7', 'x7B', '7BB', '0B', '-7B', 'seven B', '7B parameters', '1e9B'])('does not read %j', (text) => {
    expect(parseBillions(text)).toBeNull()
  })

  it('gives a positive finite number or null, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9xX. ]{0,12}[bmtBMT]?$/)), (text) => {
        const billions = parseBillions(text)
        expect(billions === null || (Number.isFinite(billions) && billions > 0)).toBe(true)
      }),
    )
  })

  it('reads what it could have printed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('B', 'b'), (count, unit) => {
        expect(parseBillions(`${count}${unit}`)).toBe(count)
      }),
    )
  })
})

describe('tierOf', () => {
  it.each([
    ['by its parameters: 8.9', { id: 'm', billions: 8.9 }, 'small'],
    ['by its parameters: 9', { id: 'm', billions: 9 }, 'medium'],
    ['by its parameters: 40', { id: 'm', billions: 40 }, 'medium'],
    ['by its parameters: 40.1', { id: 'm', billions: 40.1 }, 'large'],
    ['by a size in its name', { id: 'qwen2.5-coder:32b-instruct-q4_K_M' }, 'medium'],
    ['by the first of two sizes', { id: 'qwen3-235b-a22b' }, 'large'],
    ['by a product in its name', { id: 'mixtral:8x22b' }, 'large'],
    ['by effective billions', { id: 'gemma3n:e4b' }, 'small'],
    ['not by bits', { id: 'model-4bit' }, null],
    ['not by a version', { id: 'llama3.2' }, null],
    ['by its name: haiku', { id: 'claude-haiku-4-5' }, 'small'],
    ['by its name: mini before pro', { id: 'o-pro-mini' }, 'small'],
    ['by its name: flash-lite', { id: 'gemini-flash-lite' }, 'small'],
    ['by its name: opus', { id: 'opus' }, 'large'],
    ['by its name: sonnet', { id: 'x', name: 'Sonnet 5' }, 'medium'],
    ['by its description', { id: 'default', description: 'Opus, most capable' }, 'large'],
    ['by the name before the description', { id: 'haiku', description: 'faster than Opus' }, 'small'],
    ['not at all', { id: 'mystery' }, null],
    ['not by a part of a word', { id: 'maximilian' }, null],
  ] as const)('judges %s', (_name, model, tier) => {
    expect(tierOf(model)).toBe(tier)
  })
})
