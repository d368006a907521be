/** An AI's side of the page's tools at the least cost: one MCP session over kept connections. */
import { KeepAliveClient } from './keep-alive-client.js'
import type { Page } from './page.js'

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '0' },
}

export class McpCaller {
  readonly #client: KeepAliveClient
  readonly #port: number
  readonly #token: string
  #id = 0

  constructor(port: number, page: Page, connections = 1) {
    this.#client = new KeepAliveClient(connections)
    this.#port = port
    this.#token = page.mcpToken
  }

  async start(): Promise<void> {
    await this.#send('initialize', INITIALIZE)
  }

  /** Calls the page's tool; the answer's whole text. */
  async call(name = 'work'): Promise<string> {
    const answer = await this.#send('tools/call', { name, arguments: { text: 'a'.repeat(100) } })
    if (!answer.includes('"content"')) throw new Error(`the call failed: ${answer.slice(0, 200)}`)
    return answer
  }

  close(): void {
    this.#client.close()
  }

  #send(method: string, params: object): Promise<string> {
    this.#id += 1
    return this.#client.send({
      port: this.#port,
      path: '/webmcp/mcp',
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
    })
  }
}
