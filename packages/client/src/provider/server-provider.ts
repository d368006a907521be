/** The site's own server as a provider: an OpenAI-compatible chat completions endpoint. Always ready, never probed. */
import { systemClock } from '@leuria/clock'
import type { Clock } from '@leuria/clock'
import type { Fetch } from '../engine/engine-http.js'
import type { ServerHeaders } from './ask-server.js'
import { BaseProvider } from './base-provider.js'
import type { ProviderSession, SessionOptions } from './provider.js'
import type { ServerModel } from './server-session.js'
import { loadLater } from '../load-later.js'

export interface ServerOptions {
  /** The endpoint itself: every request is a POST to it. */
  url: string
  model?: string
  /** Sent with every request; a function is asked before each. */
  headers?: ServerHeaders | (() => ServerHeaders | Promise<ServerHeaders>)
  /** The server takes `response_format` with a JSON Schema. @default false */
  jsonSchema?: boolean
  /** The model can call tools. @default true */
  tools?: boolean
  /** The model takes pictures. @default false */
  images?: boolean
  /** @default 'server' */
  id?: string
  /** @default "This site's AI" */
  label?: string
  fetch?: Fetch
  clock?: Clock
}

export class ServerProvider extends BaseProvider {
  readonly #server: ServerModel

  constructor(options: ServerOptions) {
    const { url, model, headers, id = 'server', label = "This site's AI" } = options
    const { jsonSchema = false, tools = true, images = false } = options
    const able = ['chat', tools && 'tools', jsonSchema && 'structured', images && 'images'] as const
    const capabilities = able.filter((name) => name !== false)
    super(id, label, 'site', { status: 'ready', capabilities, model })
    const fetch = options.fetch ?? ((...call) => globalThis.fetch(...call))
    this.#server = { url, model, headers, images, fetch, clock: options.clock ?? systemClock }
  }

  detect(): Promise<void> {
    return Promise.resolve()
  }

  async createSession(options: SessionOptions): Promise<ProviderSession> {
    // Loaded with the first conversation: most pages are answered by the visitor's own AI.
    const { openServerSession } = await loadLater()
    return openServerSession(this.#server, options)
  }
}

/** An OpenAI-compatible chat completions endpoint of the site's own. */
export function server(options: ServerOptions): ServerProvider {
  return new ServerProvider(options)
}
