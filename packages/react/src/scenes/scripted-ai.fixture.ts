/** An AI that stands where a test puts it, says what the test has it say, and counts its sessions. */
import { BaseProvider, createLeuria, type ProviderSession, type ProviderState, type TurnContext } from '@leuria/client'

export class ScriptedAI extends BaseProvider {
  readonly calls: string[] = []
  /** The turn under way. */
  turn: TurnContext | undefined
  finish: (text: string) => void = () => undefined
  fail: () => void = () => undefined
  allow: () => void = () => undefined

  constructor(id: string, { asksFirst = false, ...state }: Partial<ProviderState> & { asksFirst?: boolean } = {}) {
    super(id, `AI ${id}`, asksFirst ? 'device' : 'site', { status: 'ready', capabilities: ['chat', 'tools'], ...state })
    this.asksFirst = asksFirst
  }

  readonly asksFirst: boolean

  become(state: Partial<ProviderState>): void {
    this.setState(state)
  }

  async detect(): Promise<void> {}

  connect(): Promise<void> {
    this.calls.push('connect')
    this.become({ status: 'needs-action', action: 'connect' })
    return new Promise((resolve) => {
      this.allow = () => {
        this.become({ status: 'ready', model: 'Claude Code' })
        resolve()
      }
    })
  }

  async disconnect(): Promise<void> {
    this.calls.push('disconnect')
    this.become({ status: 'needs-action', model: undefined })
  }

  async createSession(): Promise<ProviderSession> {
    this.calls.push('open')
    return {
      warm: async () => void this.calls.push('warm'),
      send: (_, context) => this.#answer(context),
      close: () => void this.calls.push('close'),
    }
  }

  #answer(context: TurnContext): Promise<{ text: string }> {
    this.turn = context
    return new Promise((resolve, reject) => {
      this.finish = (text) => {
        resolve({ text })
      }
      this.fail = () => {
        reject(new Error('It broke.'))
      }
      context.signal.addEventListener('abort', () => {
        this.calls.push('stopped')
        resolve({ text: '' })
      })
    })
  }
}

/** The visitor's own AI, and the site's behind it. */
export function scriptedClient(state: Partial<ProviderState>) {
  const ai = new ScriptedAI('bridge', { asksFirst: true, ...state })
  const site = new ScriptedAI('server')
  return { ai, site, client: createLeuria({ providers: [ai, site], autoDetect: false }) }
}
