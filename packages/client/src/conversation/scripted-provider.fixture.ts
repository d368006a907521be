/** A provider that does what a test writes down: one script a turn, the last one for all that follow. */
import type { Message } from '../message/message.js'
import { messageText } from '../message/message-content.js'
import { BaseProvider } from '../provider/base-provider.js'
import type { Capability, ProviderSession, ProviderState, SessionOptions, TurnContext } from '../provider/provider.js'

export interface ScriptedTurn {
  /** What the AI was told, as text. */
  readonly said: string
  readonly message: Message
  readonly context: TurnContext
  readonly session: ScriptedSession
}

/** Gives the whole text, or nothing when the pieces say it all. */
export type Script = (turn: ScriptedTurn) => Promise<string | void> | string | void

export class ScriptedSession implements ProviderSession {
  readonly heard: Message[] = []
  readonly contexts: TurnContext[] = []
  closed = false
  closes = 0
  warms = 0
  readonly #provider: ScriptedProvider
  readonly options: SessionOptions

  constructor(provider: ScriptedProvider, options: SessionOptions) {
    this.#provider = provider
    this.options = options
  }

  async send(message: Message, context: TurnContext): Promise<{ text: string }> {
    this.heard.push(message)
    this.contexts.push(context)
    const text = await this.#provider.nextScript()({ said: messageText(message), message, context, session: this })
    return { text: text ?? '' }
  }

  async warm(): Promise<void> {
    this.warms += 1
    await this.#provider.onWarm()
  }

  close(): void {
    this.closes += 1
    this.closed = true
  }
}

export class ScriptedProvider extends BaseProvider {
  readonly sessions: ScriptedSession[] = []
  /** What happens before a session is there. */
  onCreate: (options: SessionOptions) => Promise<void> | void = () => undefined
  onWarm: () => Promise<void> | void = () => undefined
  readonly #scripts: Script[]

  constructor(id: string, ...scripts: Script[]) {
    super(id, `AI ${id}`, 'device', { status: 'ready', capabilities: ['chat', 'tools'] })
    this.#scripts = scripts
  }

  /** Can do these, and chat. */
  able(...capabilities: Capability[]): this {
    this.become({ capabilities: ['chat', ...capabilities] })
    return this
  }

  become(change: Partial<ProviderState>): void {
    this.setState(change)
  }

  async detect(): Promise<void> {
    // It stands where the test puts it.
  }

  async createSession(options: SessionOptions): Promise<ProviderSession> {
    const session = new ScriptedSession(this, options)
    this.sessions.push(session)
    await this.onCreate(options)
    return session
  }

  /** The newest session. */
  get session(): ScriptedSession {
    const session = this.sessions.at(-1)
    if (!session) throw new Error('No session has been opened.')
    return session
  }

  /** What its sessions were told, as texts. */
  get said(): string[] {
    return this.sessions.flatMap(({ heard }) => heard.map(messageText))
  }

  nextScript(): Script {
    return (this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0]) ?? says('Hello.')
  }
}

/** Streams these pieces. */
export function says(...pieces: string[]): Script {
  return ({ context }) => {
    for (const piece of pieces) context.text(piece)
  }
}

/** Streams these pieces and goes on for ever, until it is stopped; then it settles. */
export function hangs(...pieces: string[]): Script {
  return async ({ context }) => {
    for (const piece of pieces) context.text(piece)
    if (context.signal.aborted) return
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => {
        resolve()
      })
    })
  }
}

/** Never settles, whatever one does. */
export const ignoresTheSignal: Script = async () => new Promise<void>(() => undefined)

/** Streams these pieces and fails. */
export function fails(error: unknown, ...pieces: string[]): Script {
  return ({ context }) => {
    for (const piece of pieces) context.text(piece)
    throw error
  }
}

/** Calls a tool and says what came of it. */
export function calls(name: string, args: unknown = {}): Script {
  return async ({ context }) => {
    const outcome = await context.runTool({ name, args })
    context.text(outcome.ok ? JSON.stringify(outcome.result) : `failed: ${outcome.error}`)
  }
}
