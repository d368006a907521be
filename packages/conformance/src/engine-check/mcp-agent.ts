/** The kit in the AI's place: asks for a page's tools over MCP's streamable HTTP, as a local program. Only what the clauses need. */
import { createParser } from 'eventsource-parser'
import { ClauseBroken, quote } from '../report/observe.js'
import { type Answer, type Call, seen, send } from '../wire-http.js'

const PROTOCOL_VERSION = '2025-06-18'

type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.map((item: unknown) => item) : []
}

/** The reply of this id, whether it came as JSON or as a stream of events. */
function replyIn(answer: Answer, id: number): Fields | undefined {
  if (answer.json !== undefined) return fieldsOf(answer.json)
  let reply: Fields | undefined
  const parser = createParser({
    onEvent: ({ data }) => {
      try {
        const message = fieldsOf(JSON.parse(data))
        if (message.id === id) reply = message
      } catch {
        // Whatever isn't JSON is no reply.
      }
    },
  })
  parser.feed(`${answer.text}\n\n`)
  return reply
}

export class McpAgent {
  #id = 0
  #session: string | null = null

  constructor(
    private readonly url: URL,
    private readonly token: string,
  ) {}

  /** Sends one message; gives the answer as it is. */
  async post(message: object, call: Call = {}): Promise<Answer> {
    const headers = {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': PROTOCOL_VERSION,
      ...(this.#session === null ? {} : { 'Mcp-Session-Id': this.#session }),
    }
    return send(this.url, { token: this.token, body: message, ...call, headers })
  }

  /** Begins, as every MCP client does. Gives what the server says of itself. */
  async initialize(): Promise<Fields> {
    const clientInfo = { name: 'leuria-conformance', version: '1' }
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }
    this.#id += 1
    const answer = await this.post({ jsonrpc: '2.0', id: this.#id, method: 'initialize', params })
    const session = answer.headers['mcp-session-id']
    if (typeof session === 'string') this.#session = session
    const result = this.#resultOf(answer, this.#id)
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return result
  }

  /** @throws ClauseBroken when the answer is an error or no reply */
  async ask(method: string, params: object = {}, limitMs?: number): Promise<Fields> {
    this.#id += 1
    const id = this.#id
    const call = limitMs === undefined ? {} : { limitMs }
    return this.#resultOf(await this.post({ jsonrpc: '2.0', id, method, params }, call), id)
  }

  async tools(): Promise<Fields[]> {
    return listOf((await this.ask('tools/list')).tools).map(fieldsOf)
  }

  async tool(name: string): Promise<Fields | undefined> {
    return (await this.tools()).find((tool) => tool.name === name)
  }

  /** Calls a tool; a refusal of the protocol itself counts as a failed call, too. */
  async call(name: string, args: object = {}, limitMs?: number): Promise<{ failed: boolean; text: string }> {
    try {
      const result = await this.ask('tools/call', { name, arguments: args }, limitMs)
      const texts = listOf(result.content).map((part) => fieldsOf(part).text)
      return { failed: result.isError === true, text: texts.filter((text) => typeof text === 'string').join('') }
    } catch (error) {
      if (error instanceof McpError) return { failed: true, text: error.message }
      throw error
    }
  }

  #resultOf(answer: Answer, id: number): Fields {
    const reply = replyIn(answer, id)
    if (answer.status !== 200 || reply === undefined) throw new ClauseBroken(seen(answer))
    if (reply.error !== undefined) throw new McpError(quote(fieldsOf(reply.error).message ?? reply.error))
    return fieldsOf(reply.result)
  }
}

/** The server answered with a JSON-RPC error. */
export class McpError extends ClauseBroken {}
