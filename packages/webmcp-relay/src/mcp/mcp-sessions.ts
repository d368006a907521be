/**
 * MCP sessions of the 2025 era: one official server and transport each, found by `Mcp-Session-Id`.
 * Agents rarely say goodbye, so the number is bounded: the session unused for longest goes.
 */
import { randomUUID } from 'node:crypto'
import type { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { RelayLimits } from '../relay-limits.js'
import type { ListName, Sdk } from './sdk-server.js'

export interface McpSessionsOptions {
  sdk: Sdk
  limits: RelayLimits
  createServer(): Server
  log: (line: string) => void
}

interface Session {
  server: Server
  transport: WebStandardStreamableHTTPServerTransport
}

export class McpSessions {
  readonly #options: McpSessionsOptions
  /** In order of use, the latest last. */
  readonly #sessions = new Map<string, Session>()

  constructor(options: McpSessionsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Whether a session is known; it counts as used. */
  touch(id: string): boolean {
    const session = this.#sessions.get(id)
    if (session === undefined) return false
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return true
  }

  /** `initialize`: a session of its own for each. */
  async open(request: Request, body: unknown): Promise<Response> {
    const { sdk, limits } = this.#options
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      // What may take long goes the quick way, which turns into a stream by itself when it has to.
      enableJsonResponse: true,
      keepAliveMs: limits.keepAliveMs,
      onsessioninitialized: (id) => {
        this.#add(id, { server, transport })
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id)
      },
    })
    const server = this.#options.createServer()
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody: body })
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  /** Any request of a known session. */
  async handle(id: string, request: Request, body: unknown): Promise<Response | null> {
    const session = this.#sessions.get(id)
    return session === undefined ? null : session.transport.handleRequest(request, { parsedBody: body })
  }

  /** Tells agents that listen. Those that don't aren't told, and needn't be. */
  notify(list: ListName): void {
    for (const { server } of this.#sessions.values()) {
      const told =
        list === 'tools'
          ? server.sendToolListChanged()
          : list === 'resources'
            ? server.sendResourceListChanged()
            : server.sendPromptListChanged()
      told.catch((error: unknown) => {
        this.#options.log(`MCP: a listener was not told: ${String(error)}`)
      })
    }
  }

  async close(): Promise<void> {
    const all = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(all.map(async ({ server }) => server.close()))
  }

  #add(id: string, session: Session): void {
    this.#sessions.set(id, session)
    const oldest = this.#sessions.entries().next().value
    if (this.#sessions.size <= this.#options.limits.maxMcpSessions || oldest === undefined) return
    this.#sessions.delete(oldest[0])
    oldest[1].server.close().catch((error: unknown) => {
      this.#options.log(`MCP: an old session did not close: ${String(error)}`)
    })
  }
}
