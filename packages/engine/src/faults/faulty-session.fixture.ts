/** One session from `prepare` to its end, driven by a page whose every request may be lost, doubled, late or cut. */
import { isLive, type Origin, prepareReply, type SessionStatus } from '@leuria/protocol'
import { between, type FaultProxy, pick, type Random, rawRequest, type RawAnswer } from '@leuria/testing'
import * as z from 'zod/mini'
import type { Engine } from '../engine.js'
import type { RecordedAi } from './recorded-ai.fixture.js'
import { StubbornPage } from './stubborn-page.fixture.js'
import { ForgetfulReader, ResumingReader } from './stubborn-readers.fixture.js'

export interface FaultySite {
  engine: Engine
  proxy: FaultProxy
  ai: RecordedAi
  origin: Origin
  token: string
}

/** A request without an answer is given up after this, in ms. */
const REQUEST_LIMIT_MS = 150
/** A turn that lasts longer is cancelled: some of the AI's turns have no other end. */
const TURN_LIMIT_MS = 200
/** A page declares its tools before it asks, when it can. */
const TOOLS_LIMIT_MS = 200
/** Whatever is waited for has come long before, in ms. */
const PATIENCE_MS = 15_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks once, through the proxy. `null`: no answer came. */
function ask({ engine, proxy, origin, token }: FaultySite, path: string, body: unknown): Promise<RawAnswer | null> {
  return rawRequest({
    port: proxy.port,
    path,
    method: 'POST',
    headers: [
      ['Host', `127.0.0.1:${engine.port}`],
      ['Origin', origin],
      ['Authorization', `Bearer ${token}`],
    ],
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
  }).catch(() => null)
}

/** Asks until it has happened, as seen from inside the engine. @throws when it never does */
async function insist(happened: () => boolean, act: () => Promise<unknown>): Promise<void> {
  const startMs = performance.now()
  while (!happened()) {
    if (performance.now() - startMs > PATIENCE_MS) throw new Error('A request never got through.')
    await act()
    await pause(2)
  }
}

/** How a session comes to its end. */
const ENDINGS = ['close', 'close', 'cancel', 'abandon'] as const

export class FaultySession {
  readonly readers: readonly [ResumingReader, ForgetfulReader]
  readonly page: StubbornPage
  readonly ending: (typeof ENDINGS)[number]
  readonly #site: FaultySite
  readonly #random: Random

  private constructor(
    site: FaultySite,
    readonly id: string,
    { registrationToken, random }: { registrationToken: string; random: Random },
  ) {
    const { proxy, engine, origin, token } = site
    const host = `127.0.0.1:${engine.port}`
    const target = { port: proxy.port, host, sessionId: id, origin, token }
    this.#site = site
    this.#random = random
    this.readers = [new ResumingReader({ target, random }), new ForgetfulReader({ target, random })]
    this.page = new StubbornPage({ port: proxy.port, host, origin, registrationToken, random })
    this.ending = pick(random, ENDINGS)
  }

  /** `null`: lost answers have left the site's four places to sessions that it doesn't know of. */
  static async prepare(site: FaultySite, random: Random): Promise<FaultySession | null> {
    for (let tries = 0; tries < 40; tries += 1) {
      const answer = await ask(site, '/session/prepare', {})
      if (answer?.status === 400) return null
      if (answer?.status === 201) {
        const { sessionId, registrationToken } = z.parse(prepareReply, answer.json)
        return new FaultySession(site, sessionId, { registrationToken, random })
      }
    }
    throw new Error('prepare never got through.')
  }

  /** Lives its whole life. Resolves when page and readers know that it is over. */
  async live(): Promise<void> {
    await insist(
      () => this.#status !== 'pending_approval',
      () => this.#act('approve'),
    )
    await this.page.ready(TOOLS_LIMIT_MS)
    const turns = between(this.#random, 1, 3)
    for (let count = 0; count < turns && isLive(this.#status); count += 1) await this.#runTurn()
    if (this.ending === 'abandon') {
      this.leave()
    } else {
      await insist(
        () => !isLive(this.#status),
        () => this.#act(this.ending),
      )
    }
    await Promise.all(this.readers.map(({ done }) => done))
    this.page.leave()
  }

  leave(): void {
    this.page.leave()
    for (const reader of this.readers) reader.leave()
  }

  get #status(): SessionStatus {
    return this.#site.engine.sessions.info(this.#site.origin, this.id).status
  }

  #act(action: string, body: unknown = {}): Promise<unknown> {
    return ask(this.#site, `/session/${this.id}/${action}`, body)
  }

  async #runTurn(): Promise<void> {
    await this.#untilIdle()
    const prompt = `${this.id} seed ${Math.floor(this.#random() * 1e9)}`
    const sent = (): boolean => this.#site.ai.turns.some((turn) => turn.prompt === prompt)
    await insist(
      () => sent() || !isLive(this.#status),
      () => this.#act('prompt', { prompt }),
    )
    if (this.#random() < 0.4) {
      await pause(between(this.#random, 0, 30))
      if (this.#random() < 0.4) await this.#act('cancel-turn')
      else this.page.drop()
    }
    await this.#untilIdle()
  }

  /** A turn that takes its time is cancelled, also one that a doubled request has begun. */
  async #untilIdle(): Promise<void> {
    const startMs = performance.now()
    while (this.#status === 'running') {
      const lastsMs = performance.now() - startMs
      if (lastsMs > PATIENCE_MS) throw new Error('A turn never ended.')
      if (lastsMs > TURN_LIMIT_MS) await this.#act('cancel-turn')
      await pause(2)
    }
  }
}
