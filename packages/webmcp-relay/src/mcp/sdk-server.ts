/**
 * The official MCP SDK around the page's tools: version negotiation of both eras, sessions, notifications, and
 * whatever the quick way doesn't take. Loaded at the first request that needs it: it costs 0.1 s and 26 MB.
 */
import type { PageTools } from '@leuria/agent'
import type { CancelTimer } from '@leuria/clock'
import { MAX_BODY_BYTES } from '@leuria/protocol'
import type * as McpSdk from '@modelcontextprotocol/server'
import type { RelayContext } from '../relay-context.js'
import { McpSessions } from './mcp-sessions.js'
import { createSdkServer } from './sdk-handlers.js'

export type Sdk = typeof McpSdk
export type ListName = 'tools' | 'resources' | 'prompts'

/** A page declares its tools one by one; the agent is told once. */
const LIST_CHANGE_PAUSE_MS = 50

let loading: Promise<Sdk> | null = null

/** Once per process. A failed import may be tried again. */
function loadSdk(): Promise<Sdk> {
  loading ??= import('@modelcontextprotocol/server').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/** The SDK's part for one channel. */
export class SdkServer {
  readonly sessions: McpSessions
  readonly #context: RelayContext
  readonly #stateless: McpSdk.McpHttpHandler
  readonly #changed = new Set<ListName>()
  readonly #unsubscribe: () => void
  #cancelTimer: CancelTimer | null = null

  private constructor(context: RelayContext, tools: PageTools, sdk: Sdk) {
    this.#context = context
    const createServer = () => createSdkServer({ sdk, context, tools })
    this.sessions = new McpSessions({ ...context, sdk, createServer })
    this.#stateless = sdk.createMcpHandler(createServer, {
      maxRequestBodySize: MAX_BODY_BYTES,
      keepAliveMs: context.limits.keepAliveMs,
      onerror: (error) => {
        context.log(`MCP: ${error.message}`)
      },
    })
    this.#unsubscribe = tools.subscribe((list) => {
      this.#noteChange(list)
    })
  }

  static async load(context: RelayContext, tools: PageTools): Promise<SdkServer> {
    return new SdkServer(context, tools, await loadSdk())
  }

  /** Requests of the 2026 era, and those without a session that the quick way doesn't take. */
  fetch(request: Request, body: unknown): Promise<Response> {
    return this.#stateless.fetch(request, { parsedBody: body })
  }

  async close(): Promise<void> {
    this.#cancelTimer?.()
    this.#unsubscribe()
    await Promise.all([this.sessions.close(), this.#stateless.close()])
  }

  #noteChange(list: ListName): void {
    this.#changed.add(list)
    this.#cancelTimer ??= this.#context.clock.setTimer(LIST_CHANGE_PAUSE_MS, () => {
      this.#cancelTimer = null
      const lists = [...this.#changed]
      this.#changed.clear()
      for (const each of lists) {
        this.#stateless.notify[`${each}Changed`]()
        this.sessions.notify(each)
      }
    })
  }
}
