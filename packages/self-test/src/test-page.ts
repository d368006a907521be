/** The page's side of the tool channel with one tool: registers, declares, answers calls. What the engine sends is parsed. */
import { engineMessage, registerReply } from '@leuria/protocol'
import { WebSocket } from 'ws'

export interface TestTool {
  name: string
  description: string
  inputSchema: object
  run: () => unknown
}

function open(url: string, signal: AbortSignal): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.terminate()
      reject(new Error('The page was closed.'))
    }
    signal.addEventListener('abort', stop, { once: true })
    socket.once('open', () => {
      resolve(socket)
    })
    socket.on('error', reject)
  })
}

/** The next frame, parsed as JSON. Rejects when the socket closes first. */
function nextFrame(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.once('message', (data: Buffer) => {
      resolve(JSON.parse(data.toString()))
    })
    socket.once('close', () => {
      reject(new Error('The engine closed the channel.'))
    })
  })
}

export class TestPage {
  /** How often its tool was called. */
  calls = 0

  constructor(private readonly tool: TestTool) {}

  get toolName(): string {
    return this.tool.name
  }

  /** Registers, opens the channel, declares the tool, and serves it until `signal` aborts. */
  async connect(server: string, registrationToken: string, signal: AbortSignal): Promise<void> {
    const register = await open(`${server}/webmcp/register`, signal)
    const replied = nextFrame(register)
    register.send(JSON.stringify({ type: 'register', token: registrationToken }))
    const reply = registerReply.parse(await replied)
    register.close()
    if (reply.type === 'error') throw new Error(`The page was refused: ${reply.message}`)
    const channel = await open(`${server}${reply.channel}?token=${reply.token}`, signal)
    const declared = nextFrame(channel)
    channel.on('message', (data: Buffer) => {
      this.#receive(channel, JSON.parse(data.toString()))
    })
    const { run: _, ...declaration } = this.tool
    channel.send(JSON.stringify({ type: 'registerTool', ...declaration }))
    await declared
  }

  #receive(channel: WebSocket, frame: unknown): void {
    const message = engineMessage.parse(frame)
    if (message.type === 'ping') channel.send('{"type":"pong"}')
    if (message.type !== 'callTool') return
    const known = message.tool === this.tool.name
    if (known) this.calls += 1
    const answer = known ? { result: this.tool.run() } : { error: `There is no tool ${message.tool}.` }
    channel.send(JSON.stringify({ type: 'toolResponse', id: message.id, ...answer }))
  }
}
