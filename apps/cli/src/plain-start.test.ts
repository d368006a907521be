import { describe, expect, it } from 'vitest'
import { readPlainStart } from './plain-start.js'

const read = (line: string) => readPlainStart(line.split(' '))

describe('a plain start is read without the whole command line', () => {
  it.each([
    ['start', {}],
    ['start --json --no-open', { json: true, open: false }],
    ['start -p 0 --open', { port: 0, open: true }],
    ['start --port=20000 -v --plain', { port: 20_000, verbose: true, plain: true }],
    ['start --port 1 --port 2', { port: 2 }],
    ['start -a llm:my-server/qwen3', { agent: 'llm:my-server/qwen3' }],
  ])('%s', (line, flags) => {
    expect(read(line)).toEqual(flags)
  })

  it.each([
    'start --help',
    'start --version',
    'start --port x',
    'start --port 65536',
    'start --port -1',
    'start --port',
    'start --agent=',
    'start --open --no-open',
    'start --trust a b',
    'start extra',
    'start -- extra',
    'start --jsn',
    'ai list',
    '',
  ])('leaves "%s" to it', (line) => {
    expect(read(line)).toBeNull()
  })
})
