import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ThinkTags } from './think-tags.js'

function split(pieces: readonly string[]): { text: string; thought: string } {
  const tags = new ThinkTags()
  const all = [...pieces.map((piece) => tags.push(piece)), tags.end()]
  return { text: all.map(({ text }) => text).join(''), thought: all.map(({ thought }) => thought).join('') }
}

describe('think tags', () => {
  it.each([
    ['Hi', { text: 'Hi', thought: '' }],
    ['  Hi ', { text: '  Hi ', thought: '' }],
    ['<think>2+2</think>\n\n4', { text: '4', thought: '2+2' }],
    ['\n<think>a</think><think>b</think>c', { text: 'c', thought: 'ab' }],
    ['<thinking>a</thinking>b', { text: 'b', thought: 'a' }],
    ['<think>never closed', { text: '', thought: 'never closed' }],
    ['<think></think>', { text: '', thought: '' }],
    ['<think>a</thi b</think>c', { text: 'c', thought: 'a</thi b' }],
    ['Use <think> tags', { text: 'Use <think> tags', thought: '' }],
    ['<thin', { text: '<thin', thought: '' }],
    ['<table>', { text: '<table>', thought: '' }],
    ['1 < 2', { text: '1 < 2', thought: '' }],
  ])('splits %j, however it is cut', (whole, expected) => {
    expect(split([whole])).toEqual(expected)
    expect(split([...whole])).toEqual(expected)
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), (a, b) => {
        const [first = 0, second = 0] = [a, b].sort((x, y) => x - y)
        expect(split([whole.slice(0, first), whole.slice(first, second), whole.slice(second)])).toEqual(expected)
      }),
    )
  })

  it('shows text at once', () => {
    const tags = new ThinkTags()
    expect(tags.push('Hello')).toEqual({ text: 'Hello', thought: '' })
    expect(tags.push(' <think>')).toEqual({ text: ' <think>', thought: '' })
  })
})
