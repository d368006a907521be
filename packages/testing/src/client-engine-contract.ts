/**
 * What a client and an engine must manage together, whichever they are: run by our client against the fake engine, and by
 * the engine's tests against the real one. The AI behind the engine is a puppet.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeBrowser, type FakeTab } from './fake-browser.js'
import { PageNetwork } from './page-network.js'
import { puppetAi, type PuppetAi } from './puppet-ai.js'

/** The part of a session that the suite uses; `BridgeSession` fits. */
export interface ContractSession {
  readonly id: string
  readonly status: string
  readonly text: string
  readonly error: unknown
  readonly outcome: string | null
  prompt(prompt: string, options?: { attachments?: ContractAttachment[] }): Promise<void>
  cancelTurn(): Promise<void>
  cancel(): Promise<void>
  close(): Promise<void>
  onEvent(listener: (event: ContractEvent) => void): () => void
}

export interface ContractEvent {
  event: string
  data: unknown
}

export type ContractAttachment =
  { type: 'text'; text: string; name?: string } | { type: 'image'; mimeType: string; data: string; name?: string }

export interface ContractTool {
  name: string
  description?: string
  inputSchema?: object
  execute(args: unknown): unknown
}

export interface ContractStart {
  prompt?: string
  attachments?: ContractAttachment[]
  systemPrompt?: string
  maxTurns?: number
  tools?: ContractTool[]
  signal?: AbortSignal
}

/** The part of a client that the suite uses; `BridgeClient` fits. */
export interface ContractClient {
  getState(): { status: string }
  detect(): Promise<{ status: string }>
  connect(options?: { signal?: AbortSignal }): Promise<void>
  forget(): void
  destroy(): void
  startSession(options?: ContractStart): Promise<ContractSession>
}

/** What a client is made of in the suite. */
export interface ContractClientParts {
  url: string
  page: FakeTab
  network: PageNetwork
}

/** An engine with the puppet as its only AI. */
export interface ContractEngine {
  url: string
  /** Waits for the next pairing question and answers it as the visitor would. */
  answerPairing(allow: boolean): Promise<void>
  revoke(origin: string): Promise<void> | void
  close(): Promise<void>
}

export interface ClientEngineContractOptions {
  createClient(parts: ContractClientParts): ContractClient
  startEngine(puppet: PuppetAi): Promise<ContractEngine>
}

const ORIGIN = 'https://shop.example'

/** One page with its client, connected or not, and the engine it talks to. */
class Scene {
  readonly browser = new FakeBrowser(ORIGIN)
  readonly tab = this.browser.openTab()
  readonly network = new PageNetwork(ORIGIN)
  readonly client: ContractClient

  constructor(
    options: ClientEngineContractOptions,
    readonly engine: ContractEngine,
    readonly puppet: PuppetAi,
  ) {
    this.client = options.createClient({ url: engine.url, page: this.tab, network: this.network })
  }

  async connect(): Promise<void> {
    const connected = this.client.connect()
    await this.engine.answerPairing(true)
    await connected
  }

  /** Starts a session and notes what it tells. */
  async start(options: ContractStart = {}): Promise<{ session: ContractSession; events: ContractEvent[] }> {
    const session = await this.client.startSession(options)
    const events: ContractEvent[] = []
    session.onEvent((event) => events.push(event))
    return { session, events }
  }

  async idle(session: ContractSession): Promise<void> {
    await vi.waitFor(() => expect(session.status).toBe('idle'), WAIT)
  }
}

/** Looks often, gives up late: nothing here has a fixed duration. */
const WAIT = { interval: 5, timeout: 20_000 }

function named(events: readonly ContractEvent[], ...names: string[]): unknown[] {
  return events.filter(({ event }) => names.includes(event)).map(({ data }) => data)
}

function joined(events: readonly ContractEvent[]): string {
  return named(events, 'chunk').join('')
}

/** Registers the suite. */
export function clientEngineContract(name: string, options: ClientEngineContractOptions): void {
  describe(`client and engine: ${name}`, () => {
    let scene: Scene

    beforeEach(async () => {
      const puppet = puppetAi()
      scene = new Scene(options, await options.startEngine(puppet), puppet)
    })
    afterEach(async () => {
      scene.client.destroy()
      await scene.engine.close()
    })

    describe('pairing', () => pairingCases(() => scene))
    describe('sessions', () => sessionCases(() => scene))
    describe('page tools', () => toolCases(() => scene))
    describe('dropped connections', () => dropCases(() => scene))
  })
}

function pairingCases(scene: () => Scene): void {
  it('opens the link in the click, then claims until the visitor has answered', async () => {
    const { client, tab, network, engine, browser } = scene()
    const connected = client.connect()
    expect(tab.links).toEqual([expect.stringMatching(/^leuria:\/\/connect\?origin=https%3A%2F%2Fshop\.example&/)])
    expect(client.getState().status).toBe('connecting')
    await engine.answerPairing(true)
    await connected
    expect(client.getState().status).toBe('connected')
    expect(browser.stored.get(`leuria:token:${engine.url}`)).toMatch(/.{20}/)
    expect(network.uses.every(({ url }) => url.endsWith('/connect/claim'))).toBe(true)
    expect(await client.detect()).toMatchObject({ status: 'ready', version: expect.any(String) as string })
  })

  it('learns that the visitor said no, and that they said it a moment ago', async () => {
    const { client, engine } = scene()
    const connected = client.connect()
    const refused = expect(connected).rejects.toMatchObject({ name: 'LeuriaNotConnectedError', code: 'declined' })
    await engine.answerPairing(false)
    await refused
    expect(client.getState().status).toBe('declined')
    await expect(client.connect()).rejects.toMatchObject({ code: 'declined_recently' })
  })

  it('forgets the token that the visitor took back, and its sessions end', async () => {
    const { client, engine, browser } = scene()
    await scene().connect()
    const { session } = await scene().start()
    await scene().idle(session)
    await engine.revoke(ORIGIN)
    await vi.waitFor(() => expect(session.status).toBe('ended'), WAIT)
    expect(session.outcome).toMatch(/cancelled|failed/)
    expect(await client.detect()).toMatchObject({ status: expect.stringMatching(/unpaired|offline/) as string })
    await expect(client.startSession()).rejects.toMatchObject({
      name: expect.stringMatching(/^LeuriaNot(Connected|Running)Error$/) as string,
    })
    expect([...browser.stored.keys()].length).toBeLessThanOrEqual(1)
  })
}

function sessionCases(scene: () => Scene): void {
  beforeEach(async () => {
    await scene().connect()
  })

  it('streams a first turn from its start to its end', async () => {
    const { session, events } = await scene().start({ prompt: 'say a blue mug' })
    await scene().idle(session)
    const turn = events.filter(({ event }) => ['turn_start', 'chunk', 'turn_completed'].includes(event))
    expect(turn.map(({ event }) => event)).toEqual(['turn_start', 'chunk', 'chunk', 'chunk', 'turn_completed'])
    expect(joined(events)).toBe('a blue mug')
    expect(named(events, 'turn_completed')).toEqual([expect.objectContaining({ text: 'a blue mug' })])
    expect(session.text).toBe('a blue mug')
  })

  it('starts the AI without a prompt, then takes one after the other', async () => {
    const { session, events } = await scene().start()
    await scene().idle(session)
    expect(events.map(({ event }) => event)).toContain('ready')
    await session.prompt('say one')
    await scene().idle(session)
    await session.prompt('think two\nsay three')
    await scene().idle(session)
    expect(named(events, 'chunk', 'thought')).toEqual(['one', 'two', 'three'])
    expect(scene().puppet.prompts.length).toBe(2)
  })

  it('waits with a prompt until the AI is up', async () => {
    const { session, events } = await scene().start()
    await session.prompt('say early')
    await scene().idle(session)
    expect(joined(events)).toBe('early')
  })

  it('refuses a prompt while a turn runs, and stops a turn but keeps the session', async () => {
    const { session, events } = await scene().start({ prompt: 'say begun\nhold\nsay never' })
    await scene().puppet.held()
    await vi.waitFor(() => expect(session.text).toBe('begun'), WAIT)
    await expect(session.prompt('say more')).rejects.toMatchObject({ code: 'busy' })
    await session.cancelTurn()
    await scene().idle(session)
    await session.prompt('say again')
    await vi.waitFor(() => expect(named(events, 'turn_completed')).toHaveLength(2), WAIT)
    expect(joined(events)).toBe('begunagain')
  })

  it('takes attachments, a system prompt and a step limit', async () => {
    const attachments: ContractAttachment[] = [
      { type: 'text', text: 'celadon', name: 'colour.txt' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ]
    const { session } = await scene().start({ prompt: 'say seen', attachments, systemPrompt: 'Be brief.', maxTurns: 3 })
    await scene().idle(session)
    expect(session.text).toBe('seen')
  })

  it('reports what the AI failed with as the end of the session', async () => {
    const { session, events } = await scene().start({ prompt: 'fail The model is gone.' })
    await vi.waitFor(() => expect(session.status).toBe('ended'), WAIT)
    expect(session.outcome).toBe('failed')
    expect(named(events, 'failed')).toEqual(['The model is gone.'])
    expect(session.error).toMatchObject({ code: 'session_failed', detail: 'The model is gone.' })
  })

  it('holds four sessions; closing and cancelling make room', async () => {
    const sessions: ContractSession[] = []
    for (let each = 0; each < 4; each += 1) sessions.push((await scene().start()).session)
    await expect(scene().client.startSession()).rejects.toMatchObject({ name: 'LeuriaError', status: 400 })
    await sessions[0]?.close()
    await sessions[1]?.cancel()
    expect(sessions.slice(0, 2).map(({ status, outcome }) => [status, outcome])).toEqual([
      ['ended', 'completed'],
      ['ended', 'cancelled'],
    ])
    await scene().start()
    await scene().start()
  })

  it('leaves no session behind when a start is called off', async () => {
    for (let each = 0; each < 5; each += 1) {
      const abort = new AbortController()
      const starting = scene().client.startSession({ prompt: 'hold', signal: abort.signal })
      abort.abort()
      await expect(starting).rejects.toMatchObject({ name: 'AbortError' })
    }
    const all = async (): Promise<unknown> => Promise.all([1, 2, 3, 4].map(() => scene().client.startSession()))
    await vi.waitFor(all, WAIT)
  })
}

function toolCases(scene: () => Scene): void {
  beforeEach(async () => {
    await scene().connect()
  })

  const search: ContractTool = {
    name: 'search_products',
    description: 'Search products.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    execute: (args) => ({ found: args }),
  }

  it('runs a call in the page and gives the AI its result', async () => {
    const prompt = 'call search_products {"query":"blue mug"}'
    const { session, events } = await scene().start({ prompt, tools: [search] })
    await scene().idle(session)
    expect(JSON.parse(session.text)).toEqual({ found: { query: 'blue mug' } })
    expect(named(events, 'tool_call')).toEqual([
      expect.objectContaining({ toolName: 'mcp__webmcp__search_products', status: 'in_progress' }),
      expect.objectContaining({ toolName: 'mcp__webmcp__search_products', status: 'completed' }),
    ])
  })

  it('gives texts to the AI as they are', async () => {
    const tool = { name: 'greet', execute: () => 'Grüß Gott 🙂' }
    const { session } = await scene().start({ prompt: 'call greet', tools: [tool] })
    await scene().idle(session)
    expect(session.text).toBe('Grüß Gott 🙂')
  })

  it('gives what a tool throws to the AI as a failed call', async () => {
    const tool = {
      name: 'stock',
      execute: () => {
        throw new Error('The catalog is offline.')
      },
    }
    const { session, events } = await scene().start({ prompt: 'call stock', tools: [tool] })
    await scene().idle(session)
    expect(session.text).toBe('failed: The catalog is offline.')
    expect(named(events, 'tool_call').at(-1)).toMatchObject({ status: 'failed' })
  })

  it('fails a call of a tool that nobody declared', async () => {
    const { session } = await scene().start({ prompt: 'call no_such_tool', tools: [search] })
    await scene().idle(session)
    expect(session.text).toMatch(/^failed: ./)
  })
}

function dropCases(scene: () => Scene): void {
  beforeEach(async () => {
    await scene().connect()
  })

  it('has every piece of a text once, however the stream drops in between', async () => {
    const { session, events } = await scene().start({ prompt: 'say ha ha\nhold\nsay ha !' })
    await scene().puppet.held()
    await vi.waitFor(() => expect(session.text).toBe('ha ha'), WAIT)
    scene().network.cut()
    await vi.waitFor(() => expect(named(events, 'reconnected')).not.toEqual([]), WAIT)
    scene().puppet.release()
    await scene().idle(session)
    expect(joined(events)).toBe('ha haha !')
    expect(named(events, 'turn_start')).toHaveLength(1)
    expect(named(events, 'turn_completed')).toEqual([expect.objectContaining({ text: 'ha haha !' })])
  })

  it('learns of a turn that ended while the stream was away', async () => {
    const { session, events } = await scene().start({ prompt: 'say one\nhold\nsay two' })
    await scene().puppet.held()
    await vi.waitFor(() => expect(session.text).toBe('one'), WAIT)
    scene().network.down = true
    scene().network.cut()
    scene().puppet.release()
    await vi.waitFor(() => expect(named(events, 'reconnecting').length).toBeGreaterThan(1), WAIT)
    scene().network.down = false
    await scene().idle(session)
    expect(named(events, 'turn_completed')).toHaveLength(1)
    expect('onetwo'.startsWith(joined(events))).toBe(true)
    await session.prompt('say next')
    await vi.waitFor(() => expect(named(events, 'turn_completed')).toHaveLength(2), WAIT)
    expect(session.text).toBe('next')
  })

  it('declares the tools again on a new channel, so that the AI can still call them', async () => {
    const tool = { name: 'greet', execute: () => 'hello' }
    const { session, events } = await scene().start({ tools: [tool] })
    await scene().idle(session)
    scene().network.cut()
    await vi.waitFor(() => expect(named(events, 'reconnected')).toHaveLength(2), WAIT)
    await session.prompt('call greet')
    await vi.waitFor(() => expect(named(events, 'turn_completed')).toHaveLength(1), WAIT)
    expect(session.text).toBe('hello')
  })
}
