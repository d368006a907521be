import { computedMs } from '@leuria/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkMarkdown } from './index.js'

const texts = (markdown: string, maxChars?: number) => chunkMarkdown(markdown, { maxChars }).map(({ text }) => text)

describe('pieces of a Markdown text', () => {
  it('begin at headings, and know the headings above them', () => {
    const markdown = '# Shop\n\nHello.\n\n## Mugs ##\n\nBlue.\n\n### Big\nTall.\n\n## Bowls\n\nRound.\n'
    expect(chunkMarkdown(markdown)).toEqual([
      { text: '# Shop\n\nHello.\n\n', path: ['Shop'] },
      { text: '## Mugs ##\n\nBlue.\n\n', path: ['Shop', 'Mugs'] },
      { text: '### Big\nTall.\n\n', path: ['Shop', 'Mugs', 'Big'] },
      { text: '## Bowls\n\nRound.\n', path: ['Shop', 'Bowls'] },
    ])
  })

  it('keep headings together that have nothing between them', () => {
    expect(chunkMarkdown('# A\n\n## B\ntext')).toEqual([{ text: '# A\n\n## B\ntext', path: ['A', 'B'] }])
  })

  it('hold as many paragraphs as fit', () => {
    const paragraph = (name: string) => `${name.repeat(30)}\n\n`
    expect(texts(['a', 'b', 'c'].map(paragraph).join(''), 70)).toEqual([
      paragraph('a') + paragraph('b'),
      paragraph('c'),
    ])
  })

  it('leave fenced code whole where it fits, headings in it included', () => {
    const code = '```sh\n# no heading\n\nls\n```\n'
    expect(chunkMarkdown(`Before it.\n\n${code}After.`, { maxChars: 30 })).toEqual([
      { text: 'Before it.\n\n', path: [] },
      { text: code, path: [] },
      { text: 'After.', path: [] },
    ])
    const longer = '~~~~\n~~~\n```\n# none\n~~~~\n# One\n'
    expect(chunkMarkdown(longer).map(({ path }) => path)).toEqual([[], ['One']])
    expect(chunkMarkdown('```\n# never closed').map(({ path }) => path)).toEqual([[]])
  })

  it('cut what is too long after a line, a sentence, a word, or anywhere', () => {
    expect(texts('one\ntwo\nthree\n', 9)).toEqual(['one\ntwo\n', 'three\n'])
    expect(texts('It is so. It is not.', 12)).toEqual(['It is so. ', 'It is not.'])
    expect(texts('alpha beta gamma', 8)).toEqual(['alpha ', 'beta ', 'gamma'])
    expect(texts('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
    expect(texts('🌍🌍🌍', 3)).toEqual(['🌍', '🌍', '🌍'])
  })

  it('are none for an empty text', () => {
    expect(chunkMarkdown('')).toEqual([])
    expect(texts('\n\n')).toEqual(['\n\n'])
  })

  it('refuse sizes that leave no room', () => {
    for (const maxChars of [1, 0, -5, Number.NaN]) expect(() => chunkMarkdown('a', { maxChars })).toThrow(RangeError)
    expect(texts('ab c', 2)).toEqual(['ab', ' c'])
  })

  it('take long odd lines in good time', () => {
    for (const odd of [
      '# ' + ' '.repeat(200_000),
      '#'.repeat(200_000),
      '# ' + '# '.repeat(100_000),
      '`'.repeat(200_000),
    ]) {
      const before = computedMs()
      expect(texts(odd).join('')).toBe(odd)
      expect(computedMs() - before).toBeLessThan(2_000)
    }
  })

  const line = fc.oneof(
    fc.constantFrom(
      '',
      '',
      '# One',
      '## Two ##',
      '###### Six',
      '```',
      '~~~~',
      '   ```js',
      'x',
      '#no',
      '\t',
      '- a',
      '\r',
    ),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  const markdown = fc
    .array(line, { maxLength: 40 })
    .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\r\n')}\r\n`))

  it('joined are the text again, none is longer than it may be, and no character is cut', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 2, max: 80 }), (text, maxChars) => {
        const chunks = texts(text, maxChars)
        expect(chunks.join('')).toBe(text)
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(maxChars)
          expect(chunk).not.toBe('')
          expect(/^[\udc00-\udfff]/.test(chunk) && /[\ud800-\udbff]$/.test(text.slice(0, text.indexOf(chunk)))).toBe(
            false,
          )
        }
      }),
    )
  })

  it('leave code whole wherever it fits', () => {
    const code = fc
      .array(fc.constantFrom('a = 1', '', '# x', '  y'), { maxLength: 6 })
      .map((lines) => `\`\`\`\n${lines.join('\n')}\n\`\`\`\n`)
    fc.assert(
      fc.property(fc.array(fc.oneof(code, fc.constantFrom('word word\n\n', '# H\n\n'))), (blocks) => {
        const chunks = texts(blocks.join(''), 80)
        for (const block of blocks)
          if (block.startsWith('`')) expect(chunks.some((chunk) => chunk.includes(block))).toBe(true)
      }),
    )
  })
})
