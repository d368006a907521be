import { describe, expect, it } from 'vitest'
import { isSame } from './same.js'

describe('being the same', () => {
  it.each<[object, object, boolean]>([
    [{}, {}, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: {} }, { a: {} }, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [1], false],
    [[1], [1, 2], false],
  ])('of %j and %j', (one, other, expected) => {
    expect(isSame(one, other)).toBe(expected)
  })
})
