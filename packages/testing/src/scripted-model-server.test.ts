import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { autoAnswer } from './auto-answer.js'
import { type ScriptedModelServer, scriptedModelServer } from './scripted-model-server.js'

let server: ScriptedModelServer | undefined
afterEach(async () => server?.close())

const QUESTION = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true }

const chat = async (url: string, body: object = QUESTION, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), signal })

describe('the scripted model server', () => {
  it('plays its answers in order, then its default', async () => {
    server = await scriptedModelServer({ answers: [[{ say: 'One' }]], otherwise: [{ say: 'Two' }] })
    expect(await (await chat(server.url)).text()).toContain('"content":"One"')
    expect(await (await chat(server.url)).text()).toMatch(/"content":"Two".*"finish_reason":"stop".*\[DONE\]/s)
    expect(server.requests).toEqual(['POST /v1/chat/completions', 'POST /v1/chat/completions'])
  })

  it('sends raw bytes as they are', async () => {
    server = await scriptedModelServer({ answers: [[{ raw: 'data: x\n' }]] })
    expect(await (await chat(server.url)).text()).toBe('data: x\n')
  })

  it('lets a test write by hand, and knows who hung up', async () => {
    server = await scriptedModelServer({ answers: ['by_hand'] })
    const cancel = new AbortController()
    const reply = chat(server.url, QUESTION, cancel.signal)
    const exchange = await server.exchange(1)
    await exchange.write('data: 1\n\n')
    expect((await reply).status).toBe(200)
    expect(exchange.closedEarly).toBe(false)
    cancel.abort()
    await exchange.closed
    expect(exchange.closedEarly).toBe(true)
  })

  it('drops a connection without that counting as the caller hanging up', async () => {
    server = await scriptedModelServer({ answers: [[{ say: 'x' }, { drop: true }]] })
    await expect(chat(server.url).then(async (reply) => reply.text())).rejects.toThrow()
    const exchange = await server.exchange(1)
    await exchange.closed
    expect(exchange.closedEarly).toBe(false)
  })

  it('refuses what a strict API would refuse, and a wrong key', async () => {
    server = await scriptedModelServer({ key: 'k' })
    expect((await chat(server.url)).status).toBe(401)
    await server.close()
    server = await scriptedModelServer()
    expect((await chat(server.url, { ...QUESTION, tools: [] })).status).toBe(400)
    expect(server.faults).toEqual(['tools must not be empty'])
  })

  it('answers by itself with the tools it is offered', () => {
    const tool = (name: string) => ({
      type: 'function',
      function: {
        name,
        parameters: {
          type: 'object',
          properties: { query: { type: 'string' }, max: { type: 'number' } },
          required: ['query', 'max'],
        },
      },
    })
    const tools = [tool('get_cart'), tool('search_products')]
    const ask = { role: 'user', content: 'search for a mug' }
    expect(autoAnswer({ messages: [ask], tools })).toEqual([
      { call: { name: 'search_products', arguments: { query: 'search for a mug', max: 1 } } },
    ])
    expect(autoAnswer({ messages: [ask, { role: 'tool', content: 'Celadon' }], tools })).toEqual([
      { say: ['The tool says: ', 'Celadon'] },
    ])
    expect(autoAnswer({ messages: [ask], tools, tool_choice: 'none' })).toEqual([
      { say: ['You said: ', 'search for a mug'] },
    ])
  })
})

describe('the scripted model server as a program', () => {
  it('reads a script, says where it listens and what it was asked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leuria-model-'))
    const script = join(folder, 'script.json')
    await writeFile(script, JSON.stringify({ answers: [[{ say: 'Scripted.' }]] }))
    const program = fileURLToPath(new URL('./model-server-program.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=@leuria/source', '--import', 'tsx', program, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const next = async (): Promise<Record<string, unknown>> =>
        JSON.parse(String((await lines.next()).value)) as Record<string, unknown>
      const ready = await next()
      expect(ready['event']).toBe('ready')
      expect(await (await chat(String(ready['url']))).text()).toContain('Scripted.')
      expect(await next()).toMatchObject({ event: 'chat', number: 1, body: { model: 'm' } })
      expect(await next()).toEqual({ event: 'closed', number: 1, early: false })
    } finally {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
      await rm(folder, { recursive: true })
    }
  })
})
