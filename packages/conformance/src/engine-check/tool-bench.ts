/** A session with an open channel whose tools the kit calls itself, in the AI's place (MCP): for the clauses of Page tools. */
import { type Channel, type KitSession, prepareSession } from './kit-session.js'
import { McpAgent } from './mcp-agent.js'
import type { Message, PageSocket } from './page-socket.js'
import type { Site, Subject } from './subject.js'

type Reply = { result: unknown } | { error: unknown }

export class ToolBench {
  readonly agent: McpAgent
  /** The channel's socket; a check may open it anew. */
  socket: PageSocket
  /** What the MCP server said of itself. */
  server: Readonly<Record<string, unknown>> = {}
  readonly #replies = new Map<string, (message: Message) => Reply>()

  constructor(
    readonly session: KitSession,
    readonly channel: Channel,
  ) {
    const { url } = session.subject.options
    this.agent = new McpAgent(new URL('/webmcp/mcp', url), channel.token)
    this.socket = channel.socket
    this.#serve()
  }

  /** Declares a tool and waits until the engine has it; its calls get this reply. */
  async declare(tool: { name: string } & Record<string, unknown>, reply?: (message: Message) => Reply): Promise<void> {
    if (reply !== undefined) this.#replies.set(tool.name, reply)
    await this.register({ type: 'registerTool', ...tool })
  }

  /** Sends a declaration and waits for its ack, or for a moment where none comes. */
  async register(message: object): Promise<Message | null> {
    const from = this.socket.inbox.items.length
    this.socket.send(message)
    return this.socket.next('ack', { from, limitMs: ACK_LIMIT_MS }).catch(() => null)
  }

  /** Opens the channel again with the same token, without declaring anything. */
  async reopen(): Promise<void> {
    this.socket.drop()
    this.socket = await this.session.openChannel(this.channel.path, this.channel.token)
    this.#serve()
  }

  #serve(): void {
    const { socket } = this
    socket.onMessage = (message) => {
      if (message.type !== 'callTool') return
      const reply = this.#replies.get(String(message.tool))
      if (reply !== undefined) socket.send({ type: 'toolResponse', id: message.id, ...reply(message) })
    }
  }
}

/** How long an acknowledgement is waited for. */
const ACK_LIMIT_MS = 3_000

export async function recordToolBench(subject: Subject, site: Site): Promise<ToolBench> {
  const session = await prepareSession(subject, site)
  subject.defer(() => session.dispose())
  await session.warm()
  const bench = new ToolBench(session, await session.channel())
  bench.server = await bench.agent.initialize()
  return bench
}
