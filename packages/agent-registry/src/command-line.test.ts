import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from './index.js'

describe('parseCommandLine', () => {
  it.each([
    ['agent', 'agent', []],
    ['  agent   --acp ', 'agent', ['--acp']],
    [`agent 'a b' "c d" e\\ f`, 'agent', ['a b', 'c d', 'e f']],
    [`agent --x="a b"c ''`, 'agent', ['--x=a bc', '']],
    [`agent "say \\"hi\\"" '$HOME' "$HOME"`, 'agent', ['say "hi"', '$HOME', '$HOME']],
    [`"/opt/my agent/run" -x`, '/opt/my agent/run', ['-x']],
    ['agent größe 道', 'agent', ['größe', '道']],
  ])('parts %s', (line, command, args) => {
    expect(parseCommandLine(line)).toEqual({ ok: true, command, args })
  })

  it.each(['', '   ', '"" x', `agent "open`, `agent 'open`, 'agent \\', 'a | b', 'a && b', 'a > b', 'a; b ;'])(
    'refuses %s',
    (line) => {
      expect(parseCommandLine(line)).toMatchObject({ ok: false })
    },
  )

  it('gives back every argument that was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes("'"))), (args) => {
        const line = ['agent', ...args.map((arg) => `'${arg}'`)].join(' ')
        expect(parseCommandLine(line)).toEqual({ ok: true, command: 'agent', args })
      }),
    )
  })
})
