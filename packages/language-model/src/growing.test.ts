import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Growing } from './growing.js'

it('comes to the same as if all were looked at, whatever happens to the list', () => {
  const list = fc.array(fc.nat(3), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(list), (lists) => {
      const text = new Growing<number, string>('', (all, item) => `${all}${item}`)
      for (const items of lists) expect(text.of(items)).toBe(items.join(''))
    }),
  )
})

it('looks at each item of a list once while the list grows, and at all of them after another change', () => {
  const looked: string[] = []
  const sum = new Growing<string, number>(0, (before, item) => {
    looked.push(item)
    return before + item.length
  })
  const items: string[] = []
  for (const item of ['a', 'bb', 'ccc']) {
    items.push(item)
    sum.of(items)
    expect(sum.of(items)).toBe(items.join('').length)
  }
  expect(looked.splice(0)).toEqual(['a', 'bb', 'ccc'])
  items[0] = 'aaaa'
  expect(sum.of(items)).toBe(9)
  expect(looked.splice(0)).toEqual(['aaaa', 'bb', 'ccc'])
  items.pop()
  expect(sum.of(items)).toBe(6)
  sum.forget()
  expect(sum.of([])).toBe(0)
})
