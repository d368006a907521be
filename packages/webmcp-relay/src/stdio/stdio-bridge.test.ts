// The bridge as an agent's pipes see it. The SDK's clients go through it in mcp-clients.test.ts.
import { PassThrough } from 'node:stream'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeClock } from '@leuria/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { INITIALIZE, rpc } from '../mcp-bare.fixture.js'
import { relayServer } from '../relay-server.fixture.js'
import { runStdioBridge, type StdioBridgeOptions } from '../stdio.js'
import { readLines } from './line-reader.js'

/** A bridge with pipes; `next` gives the next line it wrote, as JSON. */
function bridge(options: Partial<StdioBridgeOptions> & { url: string; token: string }) {
  const input = new PassThrough()
  const output = new PassThrough()
  const lines: unknown[] = []
  const waiting: (() => void)[] = []
  let rest = ''
  output.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) lines.push(JSON.parse(part))
    for (const wake of waiting.splice(0)) wake()
  })
  const ended = runStdioBridge({ graceMs: 100, ...options, input, output })
  onTestFinished(async () => {
    input.end()
    await ended
  })
  let taken = 0
  const next = async (): Promise<unknown> => {
    while (lines.length <= taken) await new Promise<void>((resolve) => waiting.push(resolve))
    return lines[taken++]
  }
  const send = (message: unknown): void =>
    void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  return { input, output, lines, ended, next, send }
}

async function setUp(options: Partial<StdioBridgeOptions> = {}) {
  const server = await relayServer()
  const made = await server.page({
    tools: { echo: { run: (args) => args }, wait: { run: () => new Promise(() => undefined) } },
  })
  return { ...server, ...made, ...bridge({ url: server.mcpUrl, token: made.channel.agentToken, ...options }) }
}

const call = (name: string, args: object, id: string | number) => rpc('tools/call', { name, arguments: args }, id)

/** A server that answers everything with this. */
async function answering(status: number, body: string, type = 'application/json'): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webmcp/mcp`
}

describe('the stdio bridge', () => {
  it('turns each line into a POST and each answer into a line, with the same id', async () => {
    const { send, next } = await setUp()
    send(rpc('initialize', INITIALIZE, 'init'))
    expect(await next()).toMatchObject({ jsonrpc: '2.0', id: 'init', result: { serverInfo: { name: 'webmcp' } } })
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    send(call('echo', { text: 'Grüße 🫖' }, 7))
    expect(await next()).toMatchObject({ id: 7, result: { content: [{ text: '{"text":"Grüße 🫖"}' }] } })
  })

  it('runs requests side by side', async () => {
    const { send, next, page } = await setUp()
    page.answersCalls = false
    send(call('wait', {}, 1))
    send(call('echo', {}, 2))
    const [first, second] = await page.called(2)
    const [slow, fast] = first?.tool === 'wait' ? [first, second] : [second, first]
    page.answer(fast?.id ?? '', { result: 'fast' })
    expect(await next()).toMatchObject({ id: 2, result: { content: [{ text: 'fast' }] } })
    page.answer(slow?.id ?? '', { result: 'slow' })
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: 'slow' }] } })
  })

  it('passes on errors of the engine as they are', async () => {
    const { send, next } = await setUp()
    send(rpc('no/such', {}, 3))
    expect(await next()).toMatchObject({ id: 3, error: { code: -32601 } })
  })

  it('answers what it cannot read', async () => {
    const { send, next } = await setUp()
    send('not json')
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'This line is not JSON.' },
    })
    send(rpc('ping', {}, 'still there'))
    expect(await next()).toMatchObject({ id: 'still there', result: {} })
  })

  it.each([
    ['nothing listens', 'http://127.0.0.1:1/webmcp/mcp', /can't be reached/],
    ['the engine refuses', 401, /This token is not valid/],
    ['the answer is not JSON', 'text', /is not JSON/],
    ['the answer is empty', '', /too early/],
    ['the answer is for another', '{"jsonrpc":"2.0","id":99,"result":{}}', /too early/],
  ])('fails a request with -32603 and words when %s', async (_, target, words) => {
    const url =
      typeof target === 'number'
        ? (await relayServer()).mcpUrl
        : target.startsWith('http')
          ? target
          : await answering(200, target)
    // Time for the answer that a busy machine may need: it isn't what this is about.
    const { send, lines, ended, input } = bridge({ url, token: 'x', graceMs: 20_000 })
    send(rpc('ping', {}, 5))
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    input.end()
    await ended
    expect(lines).toContainEqual({
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32603, message: expect.stringMatching(words) as unknown },
    })
    expect(lines.filter((line) => (line as { error?: unknown }).error !== undefined)).toHaveLength(1)
  })

  it('takes a request back when the agent does, without an answer', async () => {
    const { send, next, page, lines } = await setUp()
    send(call('wait', {}, 1))
    await page.called(1)
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await page.next(({ type }) => type === 'cancelCall')
    send(rpc('ping', {}, 2))
    expect(await next()).toMatchObject({ id: 2 })
    expect(lines).toHaveLength(1)
  })

  it('lets answers come for a while after the input has ended, then gives up and ends the session', async () => {
    const { send, next, input, ended, page, relay, lines } = await setUp()
    send(rpc('initialize', INITIALIZE, 0))
    await next()
    expect(relay.counts().mcp).toBe(1)
    send(call('echo', { a: 1 }, 1))
    send(call('wait', {}, 2))
    await page.called(2)
    input.end()
    await ended
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({ id: 1 }),
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'The connection was closed.' } },
    ])
    await page.next(({ type }) => type === 'cancelCall')
    expect(relay.counts()).toMatchObject({ openCalls: 0, mcp: 0 })
  })

  it('stops taking lines while nobody reads its answers', async () => {
    const { send, output, page } = await setUp()
    output.pause()
    for (let id = 0; id < 5; id += 1) send(call('echo', { big: 'x'.repeat(40_000) }, id))
    while (!output.writableNeedDrain) await new Promise((resolve) => setTimeout(resolve, 2))
    await page.called(5)
    for (let id = 5; id < 10; id += 1) send(call('echo', {}, id))
    await new Promise((resolve) => setTimeout(resolve, 50))
    // One line may have been on its way already.
    expect(page.calls.length).toBeLessThanOrEqual(6)
    output.resume()
    await page.called(10)
  })

  it('leaves no timer behind', async () => {
    const clock = fakeClock()
    const { send, next, input, ended } = await setUp({ clock })
    send(rpc('initialize', INITIALIZE, 0))
    await next()
    input.end()
    await ended
    expect(clock.pending).toBe(0)
  })
})

describe('lines', () => {
  async function read(chunks: (Buffer | string)[], maxLength = 10): Promise<string[]> {
    const lines: string[] = []
    const source = async function* () {
      yield* chunks
    }
    for await (const line of readLines(source(), maxLength)) lines.push(line.ok ? line.text : `! ${line.error}`)
    return lines
  }

  it('are put together from any pieces, characters included', async () => {
    const bytes = Buffer.from('aä€🫖\nb\n\n c')
    for (let size = 1; size < bytes.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      expect(await read(chunks)).toEqual(['aä€🫖', 'b', ' c'])
    }
  })

  it('may be as long as the limit; a longer one is dropped and said once', async () => {
    expect(await read(['x'.repeat(10), '\n', 'y'.repeat(11), '\nok\n'])).toEqual(['x'.repeat(10), '! too long', 'ok'])
    expect(await read(['y'.repeat(11), 'y'.repeat(11), 'y\nok'])).toEqual(['! too long', 'ok'])
  })
})
