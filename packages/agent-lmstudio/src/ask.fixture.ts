/** An LM Studio with a page in front of it, for this package's tests. */
import type { AgentSession, OpenOptions, TurnEvent } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import {
  collectTurn,
  fakePageTools,
  type ScriptedLmStudio,
  scriptedLmStudio,
  type ScriptedLmStudioOptions,
} from '@leuria/testing'
import { createLmStudioService, type LmStudioServiceOptions } from './index.js'

export const openOptions = (more: Partial<OpenOptions> = {}): OpenOptions => ({
  sessionId: 's',
  tools: fakePageTools({ find_items: {} }),
  mcp: { url: 'http://127.0.0.1:9/webmcp/mcp', token: 't' },
  signal: new AbortController().signal,
  log: () => undefined,
  ...more,
})

export class LmStudioStage {
  readonly #undo: (() => Promise<void> | void)[] = []

  async server(options: ScriptedLmStudioOptions = {}): Promise<ScriptedLmStudio> {
    const server = await scriptedLmStudio(options)
    this.#undo.push(() => server.close())
    return server
  }

  service(server: { url: string }, more: Partial<LmStudioServiceOptions> = {}) {
    const provider = { id: 'lmstudio', name: 'LM Studio', baseUrl: server.url }
    const service = createLmStudioService({ provider, clock: systemClock, ...more })
    this.#undo.push(() => {
      service.close()
    })
    return service
  }

  async open(
    server: { url: string },
    options: { model?: string; open?: Partial<OpenOptions>; service?: Partial<LmStudioServiceOptions> } = {},
  ): Promise<AgentSession> {
    const service = this.service(server, options.service)
    const session = await service.openAgent(options.model).open(openOptions(options.open))
    this.#undo.push(() => session.close())
    return session
  }

  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo()
  }
}

export const ask = async (session: AgentSession, text = 'hi'): Promise<TurnEvent[]> =>
  collectTurn(session.prompt({ text }, AbortSignal.timeout(8_000)))

export const statusOf = (events: readonly TurnEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'status' ? [event.text] : []))
