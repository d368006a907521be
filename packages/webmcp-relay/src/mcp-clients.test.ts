// The official SDK's clients, version 1 and 2, against the endpoint: over HTTP, and over stdio through the bridge.
import { PassThrough } from 'node:stream'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { fakeClock } from '@leuria/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { relayServer, type RelayServer, type RelayServerOptions } from './relay-server.fixture.js'
import { runStdioBridge } from './stdio.js'

/** What both clients can do, in words of their own. */
interface Agent {
  version: string | undefined
  serverName: string | undefined
  listTools(): Promise<string[]>
  call(
    name: string,
    args: object,
    options?: { signal?: AbortSignal; onProgress?: (progress: number) => void },
  ): Promise<Record<string, unknown>>
  readResource(uri: string): Promise<unknown>
  getPrompt(name: string): Promise<unknown>
  ping(): Promise<unknown>
  onToolsChanged(listener: () => void): void
  close(): Promise<void>
}

interface Target {
  url: string
  token: string
  /** A line-by-line connection through the bridge; made when asked for. */
  stdio(): LineTransport
}

/** A client's end of a stdio connection. */
class LineTransport {
  onmessage?: (message: never) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly toBridge = new PassThrough()
  readonly fromBridge = new PassThrough()
  readonly ended: Promise<void>

  constructor({ url, token }: { url: string; token: string }) {
    this.ended = runStdioBridge({ url, token, input: this.toBridge, output: this.fromBridge, graceMs: 200 })
  }

  async start(): Promise<void> {
    let rest = ''
    this.fromBridge.on('data', (data: Buffer) => {
      const lines = (rest + data.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.onmessage?.(JSON.parse(line) as never)
    })
  }

  async send(message: unknown): Promise<void> {
    this.toBridge.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    this.toBridge.end()
    await this.ended
    this.onclose?.()
  }
}

const INFO = { name: 'test', version: '1' }
const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

async function agentV1(target: Target, kind: 'http' | 'stdio'): Promise<Agent> {
  const client = new ClientV1(INFO)
  const http = new HttpV1(new URL(target.url), bearer(target.token))
  await client.connect((kind === 'http' ? http : target.stdio()) as never)
  return {
    version: kind === 'http' ? http.protocolVersion : '2025-11-25',
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, { signal, onProgress } = {}) =>
      client.callTool({ name, arguments: { ...args } }, undefined, {
        signal,
        ...(onProgress && {
          onprogress: ({ progress }: { progress: number }) => {
            onProgress(progress)
          },
        }),
      }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name) => client.getPrompt({ name }),
    ping: () => client.ping(),
    onToolsChanged: (listener) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, listener)
    },
    close: () => client.close(),
  }
}

async function agentV2(
  target: Target,
  kind: 'http' | 'stdio',
  mode: 'legacy' | 'auto' | { pin: string },
): Promise<Agent> {
  let toolsChanged: () => void = () => undefined
  const client = new ClientV2(INFO, {
    versionNegotiation: { mode },
    listChanged: {
      tools: {
        autoRefresh: false,
        debounceMs: 0,
        onChanged: () => {
          toolsChanged()
        },
      },
    },
  })
  await client.connect(
    kind === 'http' ? new HttpV2(new URL(target.url), bearer(target.token)) : (target.stdio() as never),
  )
  return {
    version: client.getNegotiatedProtocolVersion(),
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools({}, { cacheMode: 'reload' } as never)).tools.map(({ name }) => name),
    call: (name, args, { signal, onProgress } = {}) =>
      client.callTool(
        { name, arguments: { ...args } },
        {
          signal,
          ...(onProgress && {
            onprogress: ({ progress }: { progress: number }) => {
              onProgress(progress)
            },
          }),
        },
      ),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name) => client.getPrompt({ name }),
    ping: () => (client.getNegotiatedProtocolVersion() === '2026-07-28' ? client.discover() : client.ping()),
    onToolsChanged: (listener) => {
      toolsChanged = listener
    },
    close: () => client.close(),
  }
}

const CLIENTS: [string, string, (target: Target) => Promise<Agent>][] = [
  ['version 1 over HTTP', '2025-11-25', (target) => agentV1(target, 'http')],
  ['version 2 over HTTP, legacy', '2025-11-25', (target) => agentV2(target, 'http', 'legacy')],
  ['version 2 over HTTP, auto', '2026-07-28', (target) => agentV2(target, 'http', 'auto')],
  ['version 2 over HTTP, pinned', '2026-07-28', (target) => agentV2(target, 'http', { pin: '2026-07-28' })],
  ['version 1 over stdio', '2025-11-25', (target) => agentV1(target, 'stdio')],
  ['version 2 over stdio, legacy', '2025-11-25', (target) => agentV2(target, 'stdio', 'legacy')],
  ['version 2 over stdio, auto', '2026-07-28', (target) => agentV2(target, 'stdio', 'auto')],
]

describe.each(CLIENTS)('the SDK client, %s', (_, revision, connect) => {
  async function setUp(options: RelayServerOptions = {}) {
    const server: RelayServer = await relayServer(options)
    const made = await server.page({
      tools: {
        search: {
          description: 'Search',
          inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
          run: (args) => ({ found: args }),
        },
        größe: { run: () => 'XL' },
        odd: {
          inputSchema: { properties: { a: true, b: { type: 'strin' } } },
          annotations: { readOnlyHint: 'yes' },
          run: () => 'ok',
        },
        fail: {
          run: () => {
            throw new Error('The catalog is offline.')
          },
        },
        wait: { run: () => new Promise(() => undefined) },
      },
      resources: { 'shop://cart': () => '2 mugs' },
      prompts: { greet: () => 'Say hello' },
    })
    const target = { url: server.mcpUrl, token: made.channel.agentToken, stdio: () => new LineTransport(target) }
    const agent = await connect(target)
    onTestFinished(() => agent.close())
    return { ...server, ...made, agent }
  }

  it('negotiates its version and finds the server webmcp', async () => {
    const { agent } = await setUp()
    expect(agent.version).toBe(revision)
    expect(agent.serverName).toBe('webmcp')
    await agent.ping()
  })

  it('lists and calls tools, reads resources, gets prompts', async () => {
    const { agent } = await setUp()
    expect(await agent.listTools()).toEqual(['search', 'gro_e', 'odd', 'fail', 'wait'])
    expect(await agent.call('search', { query: 'mug' })).toMatchObject({
      content: [{ type: 'text', text: '{"found":{"query":"mug"}}' }],
    })
    expect(await agent.call('gro_e', {})).toMatchObject({ content: [{ text: 'XL' }] })
    expect(await agent.call('größe', {})).toMatchObject({ content: [{ text: 'XL' }] })
    expect(await agent.readResource('shop://cart')).toMatchObject({
      contents: [{ uri: 'shop://cart', text: '2 mugs' }],
    })
    expect(await agent.getPrompt('greet')).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }],
    })
  })

  it('gets failed calls as isError, and unknown things as errors', async () => {
    const { agent } = await setUp()
    expect(await agent.call('fail', {})).toMatchObject({
      isError: true,
      content: [{ text: 'The catalog is offline.' }],
    })
    expect(await agent.call('search', {})).toMatchObject({ isError: true })
    await expect(agent.call('nope', {})).rejects.toThrow(/no tool/)
    await expect(agent.readResource('shop://no')).rejects.toThrow(/not found/i)
    await expect(agent.getPrompt('no')).rejects.toThrow(/no prompt/)
  })

  it('makes many calls at once', async () => {
    const { agent } = await setUp()
    const all = await Promise.all(Array.from({ length: 25 }, (__, at) => agent.call('search', { query: String(at) })))
    expect(all.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
      all.map((__, at) => `{"found":{"query":"${at}"}}`),
    )
  })

  it('takes a call back, and the page learns it', async () => {
    const { agent, page, relay } = await setUp()
    const controller = new AbortController()
    const call = agent.call('wait', {}, { signal: controller.signal })
    await page.called(1)
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow()
    expect(await page.next(({ type }) => type === 'cancelCall')).toMatchObject({ id: page.calls[0]?.id })
    expect(relay.counts().openCalls).toBe(0)
  })

  it('hears that the tools changed', async () => {
    const { agent, page } = await setUp()
    let heard = 0
    agent.onToolsChanged(() => {
      heard += 1
    })
    // Clients open their stream of notifications in the background: what is declared before is heard by nobody.
    let declared = 0
    const declareAnother = async (): Promise<number> => {
      await page.declare({ type: 'registerTool', name: `late${(declared += 1)}` })
      return heard
    }
    await expect.poll(declareAnother, { interval: 100 }).toBeGreaterThan(0)
    expect(await agent.listTools()).toContain('late1')
  })

  it('is shown progress while the visitor makes up their mind', async () => {
    const clock = fakeClock()
    const { agent, page } = await setUp({ clock, limits: { pingMs: 10_000_000 } })
    page.answersCalls = false
    let seen: (progress: number) => void = () => undefined
    const progress = new Promise<number>((resolve) => {
      seen = resolve
    })
    const call = agent.call(
      'wait',
      {},
      {
        onProgress: (each) => {
          seen(each)
        },
      },
    )
    const [{ id } = { id: '' }] = await page.called(1)
    clock.advance(15_000)
    expect(await progress).toBeGreaterThanOrEqual(10)
    page.answer(id, { result: 'yes' })
    expect(await call).toMatchObject({ content: [{ text: 'yes' }] })
  })

  it('is told when the session has ended, and leaves nothing behind', async () => {
    const { agent, channel, page, relay } = await setUp()
    const call = agent.call('wait', {})
    await page.called(1)
    channel.close('the visitor closed it')
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: 'The session has ended: the visitor closed it' }],
    })
    await expect(agent.listTools()).rejects.toThrow()
    expect(relay.counts()).toEqual({ channels: 0, registerSockets: 0, openCalls: 0, mcp: 0 })
  })
})
