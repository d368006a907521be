/** The program: what it is told, its exit codes, and both checks as they are run from a command line. */
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FakeEngine } from './fake-engine/fake-engine.js'
import { runProgram } from './program/run-program.js'

async function run(args: readonly string[], stdin = new PassThrough()) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runProgram(args, { stdin, out: (text) => out.push(text), err: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** What an engine prints for other programs. */
function printsQuestions(engine: FakeEngine): PassThrough {
  const lines = new PassThrough()
  lines.write('Leuria is ready\n{"event":"ready"}\n')
  engine.pairing.onQuestion = ({ origin, id, key }) => {
    const approveUrl = `${engine.url}/connect/${id}?key=${key}`
    lines.write(`${JSON.stringify({ event: 'pairing', requestId: id, origin, approveUrl })}\n`)
  }
  return lines
}

describe('what is typed', () => {
  it.each([
    [[], 'Say what to check'],
    [['engines'], 'nothing called "engines"'],
    [['engine', '--mode', 'web'], '--mode is page or app'],
    [['engine', '--patience', 'long'], '--patience is a number of seconds'],
    [['engine', '--only', 'client.pong'], 'no clause "client.pong" for engines'],
    [['client', '--only', 'cors.vary', '--', 'true'], 'no clause "cors.vary" for clients'],
    [['engine', 'ftp://a'], 'no http:// address'],
    [['engine', '--nope'], '--nope'],
    [['client'], 'which program'],
  ])('%j is refused with the usage and code 2', async (args, words) => {
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain(words)
    expect(err).toContain('leuria-conformance engine [url]')
  })

  it('lists the clauses', async () => {
    const { code, out } = await run(['clauses'])
    expect(code).toBe(0)
    expect(out).toContain('cors.vary\tengine must\tConventions, CORS')
    expect(await run(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--answer-from-stdin') as string,
    })
  })
})

describe('engine', () => {
  const only = ['--only', 'cors.vary,pair.claim.denied,embed.none']

  it('answers by itself with what the engine prints, and says N of N', async () => {
    await using engine = await FakeEngine.start()
    const { code, out } = await run(['engine', engine.url, '--answer-from-stdin', ...only], printsQuestions(engine))
    expect(out).toContain('2 of 2 clauses passed, 1 not observable')
    expect(out).toContain('not observable: the engine has an embedding model')
    expect(code).toBe(0)
  })

  it('says what was seen instead, with code 1, as JSON too', async () => {
    await using engine = await FakeEngine.start({ defects: ['no_vary'] })
    const { code, out, err } = await run(
      ['engine', engine.url, '--answer-from-stdin', '--json', ...only],
      printsQuestions(engine),
    )
    expect(code).toBe(1)
    expect(err).toBe('FAIL cors.vary')
    const [first] = (JSON.parse(out) as { results: unknown[] }).results
    expect(first).toMatchObject({
      clause: { id: 'cors.vary' },
      status: 'failed',
      seen: 'GET /health answered 200 with vary: nothing',
    })
  })

  it('asks a person, and says so when they did not answer', { timeout: 60_000 }, async () => {
    await using engine = await FakeEngine.start({ times: { claimWaitMs: 200 } })
    const { code, out, err } = await run(['engine', engine.url, '--answer-limit', '0.3', ...only])
    expect(err).toMatch(/Leuria asks about https:\/\/shop-.*Please answer: Allow/)
    expect(out).toContain('the visitor did not answer in time')
    expect(code).toBe(0)
  })

  it('runs commands as the visitor', async () => {
    await using engine = await FakeEngine.start()
    const command = 'test "$LEURIA_ALLOW" = yes && exit 3'
    const { out } = await run(['engine', engine.url, '--approve-command', command, '--only', 'pair.claim.allowed'])
    expect(out).toContain('the command failed')
  })

  it('fails where nothing listens', async () => {
    const { code } = await run(['engine', 'http://127.0.0.1:1', '--only', 'base.loopback'])
    expect(code).toBe(1)
  })
})

describe('client', () => {
  const driver = fileURLToPath(new URL('./driver.fixture.ts', import.meta.url))
  const command = [process.execPath, '--conditions=@leuria/source', '--import', 'tsx', driver]

  it('runs a client in a program of its own', { timeout: 90_000 }, async () => {
    const { code, out } = await run(['client', '--', ...command])
    expect(out).toContain('16 of 16 clauses passed, 1 not observable')
    expect(code).toBe(0)
  })

  it('ends when the program does not work', { timeout: 60_000 }, async () => {
    const { code, out } = await run(['client', '--only', 'client.pong', '--', process.execPath, '-e', ''])
    expect(code).toBe(1)
    expect(out).toContain('seen: the program')
  })
})
