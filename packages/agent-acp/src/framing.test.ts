/** What comes on an agent's stdout: messages, and whatever else programs write there. */
import { PassThrough } from 'node:stream'
import { collectTurn, settle, textOf } from '@leuria/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageLines, type RawMessage } from './message-lines.js'
import { createMessageStream } from './message-stream.js'
import { plainLaunch, scriptedProgram } from './process.fixture.js'
import { ReadGate } from './read-gate.js'
import { scene } from './scripted.fixture.js'

const NOISE = [
  'Loaded cached credentials.',
  '',
  '\u001b[2J\u001b[H',
  '"just a string"',
  '[1,2]',
  '.'.repeat(200_000),
  '{"not": "a message"}',
  '{"jsonrpc": "2.0"',
  '{"jsonrpc":"2.0","id":99,"result":{}}',
]
const noise = NOISE.map((line) => ({ raw: `${line}\n` }))

// FC-15
describe('noise on the agent’s stdout', () => {
  it('goes to the log, and the session goes on', async () => {
    const { turn, log } = scene({
      start: noise,
      lineEnd: '\r\n',
      prompts: [[...noise, { say: 'Hello' }, ...noise, { say: '!' }]],
    })
    const events = await turn()
    expect(events).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'text', text: '!' },
      { type: 'turn_end', stopReason: 'end_turn' },
    ])
    expect(log).toContain('Loaded cached credentials.')
    expect(Math.max(...log.map(({ length }) => length))).toBeLessThan(2_100)
  })

  it('may be glued to the message behind it', async () => {
    const { turn } = scene({ prompts: [[{ raw: 'Compiling… ' }, { say: 'Hello' }]] })
    expect(textOf(await turn())).toBe('Hello')
  })

  it('is survived by a program whose last line has no end, and that then ends', async () => {
    const answer = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}'
    const halves = [{ raw: answer.slice(0, 20) }, { pauseMs: 50 }, { raw: answer.slice(20) }]
    const prompts = [[{ say: 'Last words' }, ...halves, { exit: 0 }, { noAnswer: true as const }]]
    const { turn } = scene({}, { ...scriptedProgram({ start: noise, prompts }), launch: plainLaunch().launch })
    const events = await turn()
    expect(textOf(events)).toBe('Last words')
    expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'end_turn' })
  })
})

describe('very long lines', () => {
  const long = (length: number) => ({ say: 'x'.repeat(length) })

  it('are read up to the limit', async () => {
    const { turn } = scene({ prompts: [[long(5_000_000)]] })
    expect(textOf(await turn())).toHaveLength(5_000_000)
  })

  it('over it are left out and said in the log; the turn goes on', async () => {
    const { turn, log } = scene(
      { prompts: [[long(200_000), { say: 'short' }]] },
      { limits: { maxMessageBytes: 100_000 } },
    )
    expect(textOf(await turn())).toBe('short')
    expect(log.join('\n')).toContain('more than 100000 bytes')
  })
})

it('messages are the same however their bytes are cut', () => {
  const line = fc.oneof(
    fc
      .record({ jsonrpc: fc.constant('2.0'), method: fc.string(), params: fc.object() })
      .map((message) => JSON.stringify(message)),
    fc.constantFrom(...NOISE.slice(0, 5)),
  )
  const property = fc.property(
    fc.array(line),
    fc.constantFrom('\n', '\r\n'),
    fc.array(fc.nat(400), { minLength: 1 }),
    (lines, lineEnd, cuts) => {
      const sent = lines.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as unknown)
      expect(readIn(inPieces(Buffer.from(lines.join(lineEnd)), cuts), 1_000_000).messages).toEqual(sent)
    },
  )
  fc.assert(property, { numRuns: 100 })
})

it('lines over the limit are left out, and said so, however their bytes are cut', () => {
  const text = (length: number): string => `{"jsonrpc":"2.0","method":"${'x'.repeat(length - 29)}"}`
  const property = fc.property(
    fc.array(fc.constantFrom(60, 99, 100, 101, 250)),
    fc.array(fc.nat(400), { minLength: 1 }),
    (lengths, cuts) => {
      const { messages, noise } = readIn(inPieces(Buffer.from(lengths.map(text).join('\n')), cuts), 100)
      const fitting = lengths.filter((length) => length <= 100)
      expect(messages.map((message) => JSON.stringify(message).length)).toEqual(fitting)
      expect(noise).toEqual(lengths.slice(fitting.length).map(() => 'A line of more than 100 bytes was dropped.'))
    },
  )
  fc.assert(property, { numRuns: 200 })
})

/** All that comes of some chunks of an agent's output. */
function readIn(chunks: Iterable<Buffer>, maxBytes: number): { messages: RawMessage[]; noise: string[] } {
  const messages: RawMessage[] = []
  const noise: string[] = []
  const lines = new MessageLines({ maxBytes, noise: (line) => noise.push(line) })
  const take = (): void => {
    for (let message = lines.next(); message !== null; message = lines.next()) messages.push(message)
  }
  for (const chunk of chunks) {
    lines.push(chunk)
    take()
  }
  lines.end()
  take()
  return { messages, noise }
}

function* inPieces(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  let at = 0
  for (let n = 0; at < bytes.length; n += 1) {
    const size = 1 + (cuts[n % cuts.length] ?? 0)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

describe('an agent’s stderr', () => {
  it('is passed on line by line, without the session’s secret', async () => {
    const { turn, log } = scene({
      prompts: [[{ stderr: 'one\ntwo agent-token\r\nthr' }, { stderr: 'ee\n' }, { say: 'Hi' }]],
    })
    await turn()
    expect(log).toEqual(expect.arrayContaining(['one', 'two •••', 'three']))
  })

  it('is words only, whatever it would do to a terminal', async () => {
    const told =
      '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;https://x\u001b\\link \u001bc\u009b2J\tfile\u202etxt\n'
    const secret = 'agent-\u001b[0mtoken\n'
    const { turn, log } = scene({ prompts: [[{ stderr: told }, { stderr: secret }, { say: 'Hi' }]] })
    await turn()
    expect(log).toEqual(expect.arrayContaining(['red link 2J  filetxt', '•••']))
  })

  it('is cut when it floods', async () => {
    const { turn, log } = scene({ prompts: [[{ repeat: 300, steps: [{ stderr: 'again\n' }] }, { say: 'Hi' }]] })
    await turn()
    expect(log.filter((line) => line === 'again')).toHaveLength(100)
  })
})

it('a flood of text waits in the pipe until it is read', async () => {
  const { open } = scene({ prompts: [[{ repeat: 20_000, steps: [{ say: 'more ' }] }]] })
  const session = await open()
  const turn = session.prompt({ text: 'hi' }, new AbortController().signal)[Symbol.asyncIterator]()
  const first = await turn.next()
  for (let round = 0; round < 50; round += 1) await new Promise((resolve) => setImmediate(resolve))
  const rest = await collectTurn({ [Symbol.asyncIterator]: () => turn })
  expect(textOf([...(first.done === true ? [] : [first.value]), ...rest])).toHaveLength(100_000)
})

it('questions without end wait in the pipe while their answers are not read', async () => {
  const [stdin, stdout, gate] = [new PassThrough({ highWaterMark: 1 }), new PassThrough(), new ReadGate()]
  const ignore = () => undefined
  const stream = createMessageStream({
    ...{ stdin, stdout, gate, maxMessageBytes: 1_000 },
    ...{ noise: ignore, update: ignore, ended: ignore },
  })
  for (let id = 0; id < 1_000; id += 1) stdout.write(`{"jsonrpc":"2.0","id":${id},"method":"fs/read_text_file"}\n`)
  const reader = stream.readable.getReader()
  const writer = stream.writable.getWriter()
  let read = 0
  const reading = (async () => {
    for (;;) {
      const next = await reader.read()
      if (next.done) return
      read += 1
      if ('id' in next.value) void writer.write({ jsonrpc: '2.0', id: next.value.id ?? 0, result: {} })
    }
  })()
  await expect.poll(() => read).toBeGreaterThanOrEqual(200)
  await settle()
  expect(read).toBeLessThan(220)
  stdout.end()
  stdin.resume()
  await reading
  expect(read).toBe(1_000)
})
