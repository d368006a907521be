/** A service of models with a page in front of it, for adapters' tests: scripted servers, the service, sessions, and their end. */
import type { AgentSession, ModelService, OpenOptions, TurnEvent } from '@leuria/agent'
import { collectTurn } from './agent-adapter-contract.js'
import { fakePageTools } from './fake-page-tools.js'

export interface ServiceStageParts<Server, ServerOptions, ServiceOptions> {
  startServer: (options?: ServerOptions) => Promise<Server>
  openService: (server: { url: string }, more: Partial<ServiceOptions>) => ModelService
}

/** Where a turn that never ends is given up, in ms: generous, because a test machine is busy. */
const TURN_LIMIT_MS = 20_000

/** What a session is opened with when a test doesn't care. */
export const sceneOptions = (more: Partial<OpenOptions> = {}): OpenOptions => ({
  sessionId: 's',
  tools: fakePageTools({ find_items: {} }),
  mcp: { url: 'http://127.0.0.1:9/webmcp/mcp', token: 't' },
  signal: new AbortController().signal,
  log: () => undefined,
  ...more,
})

export class ServiceStage<Server extends { url: string; close(): Promise<void> }, ServerOptions, ServiceOptions> {
  readonly #undo: (() => Promise<void> | void)[] = []

  constructor(private readonly parts: ServiceStageParts<Server, ServerOptions, ServiceOptions>) {}

  async server(options?: ServerOptions): Promise<Server> {
    const server = await this.parts.startServer(options)
    this.#undo.push(() => server.close())
    return server
  }

  service(server: { url: string }, more: Partial<ServiceOptions> = {}): ModelService {
    const service = this.parts.openService(server, more)
    this.#undo.push(() => {
      service.close()
    })
    return service
  }

  async open(
    server: { url: string },
    options: { model?: string; open?: Partial<OpenOptions>; service?: Partial<ServiceOptions> } = {},
  ): Promise<AgentSession> {
    const service = this.service(server, options.service)
    const session = await service.openAgent(options.model).open(sceneOptions(options.open))
    this.#undo.push(() => session.close())
    return session
  }

  /** Ends everything, the newest first. */
  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo()
  }
}

/** Asks once and gives everything that the turn brought. */
export const askOnce = (session: AgentSession, text = 'hi'): Promise<TurnEvent[]> =>
  collectTurn(session.prompt({ text }, AbortSignal.timeout(TURN_LIMIT_MS)))

/** What the visitor would have been told. */
export const statusOf = (events: readonly TurnEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'status' ? [event.text] : []))
