/** A whole engine on a clock that stands still, an AI driven by the test's hand, and a connected site. */
import { type FakeClock, fakeClock, type ScriptedAgent, scriptedAgent, type ScriptedAgentOptions, settle } from '@leuria/testing' // prettier-ignore
import { expect } from 'vitest'
import { oneAgent, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import type { EngineOptions } from './engine-options.js'
import { connectSite, type TestSession, type TestSite } from './site.fixture.js'
import { openStream, type StreamTarget, type TestStream } from './stream.fixture.js'

export interface StageOptions extends ScriptedAgentOptions {
  engine?: Partial<EngineOptions>
}

export class Stage {
  readonly test: TestEngine
  readonly clock: FakeClock
  readonly agent: ScriptedAgent
  readonly site: TestSite

  private constructor(parts: { test: TestEngine; clock: FakeClock; agent: ScriptedAgent; site: TestSite }) {
    this.test = parts.test
    this.clock = parts.clock
    this.agent = parts.agent
    this.site = parts.site
  }

  static async open({ engine, ...behaviour }: StageOptions = {}): Promise<Stage> {
    const clock = fakeClock()
    const agent = scriptedAgent({ clock, ...behaviour })
    const test = await openTestEngine({ clock, agents: oneAgent(agent), ...engine })
    return new Stage({ test, clock, agent, site: await connectSite(test) })
  }

  /** The page's stream, one more. */
  stream(sessionId: string, more: Partial<StreamTarget> = {}): Promise<TestStream> {
    const { token } = this.site
    return openStream({ port: this.test.engine.port, sessionId, origin: SHOP, token, ...more })
  }

  /** An approved session whose AI is up and waits. */
  async idle(body: unknown = {}): Promise<TestSession> {
    const session = await this.site.prepare(body)
    await session.act('approve')
    await session.until('ready')
    return session
  }

  /** A session in a turn that the AI has got and the test drives. */
  async running(prompt = 'go'): Promise<TestSession> {
    const session = await this.idle()
    await this.ask(session, prompt)
    return session
  }

  /** Begins a turn and waits until the AI has got it. */
  async ask(session: TestSession, prompt = 'go'): Promise<void> {
    const asked = this.turns
    expect(await session.act('prompt', { prompt })).toMatchObject({ status: 200 })
    await expect.poll(() => this.turns, { interval: 5 }).toBe(asked + 1)
  }

  /** How many turns the AI has got, all sessions together. */
  get turns(): number {
    return this.agent.sessions.reduce((sum, { turns }) => sum + turns.length, 0)
  }

  /** Moves the clock, then lets sockets and promises run. */
  async pass(ms: number): Promise<void> {
    await this.clock.advanceAsync(ms)
    for (let round = 0; round < 4; round += 1) await settle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test[Symbol.asyncDispose]()
  }
}
