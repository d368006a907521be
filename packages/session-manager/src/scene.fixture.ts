/** What the tests of this package play in: a manager on a clock that stands still, a scripted AI, channels, readers. */
import type { AuditEntry } from '@leuria/agent'
import { parseOrigin, type SessionStatus } from '@leuria/protocol'
import {
  FakeChannel,
  type FakeClock,
  fakeClock,
  FakeSink,
  type ScriptedAgent,
  scriptedAgent,
  type ScriptedAgentOptions,
  settle,
} from '@leuria/testing'
import {
  createSessionManager,
  type OpenRequest,
  type Owner,
  type Problem,
  type SessionChange,
  type SessionLimits,
  type SessionManager,
} from './index.js'

export function originOf(text: string): Owner {
  const parsed = parseOrigin(text)
  if (parsed === null) throw new Error(`${text} is no origin`)
  return parsed
}

export const SHOP = originOf('https://shop.example')
export const BLOG = originOf('https://blog.example')

export interface SceneOptions extends ScriptedAgentOptions {
  limits?: Partial<SessionLimits>
}

export class Scene {
  readonly clock: FakeClock = fakeClock()
  readonly agent: ScriptedAgent
  readonly manager: SessionManager<FakeChannel>
  readonly channels = new Map<string, FakeChannel>()
  readonly requests: OpenRequest<FakeChannel>[] = []
  readonly audit: AuditEntry[] = []
  readonly problems: Problem[] = []
  readonly changes: SessionChange[] = []

  constructor({ limits, ...behaviour }: SceneOptions = {}) {
    this.agent = scriptedAgent({ clock: this.clock, ...behaviour })
    this.manager = createSessionManager({
      clock: this.clock,
      limits,
      open: async (request) => {
        this.requests.push(request)
        return this.agent.open({ ...request, mcp: { url: 'http://127.0.0.1/mcp', token: 'token' } })
      },
      openChannel: ({ sessionId }) => {
        const channel = new FakeChannel(sessionId)
        this.channels.set(sessionId, channel)
        return channel
      },
      audit: { record: (entry) => this.audit.push(entry) },
      report: (problem) => this.problems.push(problem),
    })
    this.manager.subscribe((change) => this.changes.push(change))
  }

  /** A session of the shop with everything at hand. */
  prepare(body: Parameters<SessionManager['prepare']>[1] = {}, owner: Owner = SHOP): SessionScene {
    return new SessionScene(this, owner, this.manager.prepare(owner, body).id)
  }

  /** Lets everything end and go: what is left then is a leak. */
  async leftovers(): Promise<Record<string, number>> {
    await this.manager.close()
    await settle()
    const { sessions, ended, streams } = this.manager.live()
    return { sessions, ended, streams, timers: this.clock.pending, agents: this.agent.running }
  }
}

export const NOTHING = { sessions: 0, ended: 0, streams: 0, timers: 0, agents: 0 }

export class SessionScene {
  constructor(
    readonly scene: Scene,
    readonly owner: Owner,
    readonly id: string,
  ) {}

  get status(): SessionStatus {
    return this.info().status
  }

  get channel(): FakeChannel {
    const channel = this.scene.channels.get(this.id)
    if (channel === undefined) throw new Error('no channel')
    return channel
  }

  info() {
    return this.scene.manager.info(this.owner, this.id)
  }

  /** Opens a stream; `detach` is what the engine does when the connection closes. */
  read(lastEventId?: string): { sink: FakeSink; detach: () => void } {
    const sink = new FakeSink()
    return { sink, detach: this.scene.manager.stream(this.owner, this.id, { sink, lastEventId }) }
  }

  approve() {
    return this.scene.manager.approve(this.owner, this.id)
  }

  prompt(text: string) {
    return this.scene.manager.prompt(this.owner, this.id, { prompt: text })
  }

  cancelTurn() {
    return this.scene.manager.cancelTurn(this.owner, this.id)
  }

  cancel() {
    return this.scene.manager.cancel(this.owner, this.id)
  }

  close() {
    return this.scene.manager.closeSession(this.owner, this.id)
  }

  /** The session, idle after a start without a prompt. */
  async idle(): Promise<this> {
    this.approve()
    await settle()
    return this
  }

  /** The session in a turn that the AI has got and the test drives. */
  async running(text = 'go'): Promise<this> {
    await this.idle()
    this.prompt(text)
    await settle()
    return this
  }
}
