/** For this package's tests: a home that goes away, a clock that stands still, sites. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Origin, parseOrigin } from '@leuria/protocol'
import type { StateFs } from '@leuria/state'
import { type FakeClock, fakeClock } from '@leuria/testing'
import { openUsage, type Usage } from './index.js'

export function originOf(text: string): Origin {
  const origin = parseOrigin(text)
  if (origin === null) throw new Error(`${text} is no origin`)
  return origin
}

export const SHOP = originOf('https://shop.example')
export const BLOG = originOf('https://blog.example')

/** In the visitor's own time zone, whichever this computer's is. */
export const NOON = new Date(2026, 10, 30, 12, 0, 0)

export class UsageScene {
  readonly warnings: string[] = []
  readonly #open: Usage[] = []

  private constructor(
    readonly home: string,
    readonly clock: FakeClock,
  ) {}

  static async make(now = NOON): Promise<UsageScene> {
    return new UsageScene(await mkdtemp(join(tmpdir(), 'leuria-usage-')), fakeClock(now))
  }

  /** Opens the home's files, as one more process would. Closed with the scene. */
  async open(fs?: StateFs): Promise<Usage> {
    const usage = await openUsage({
      home: this.home,
      clock: this.clock,
      log: (line) => this.warnings.push(line),
      ...(fs === undefined ? {} : { fs }),
    })
    this.#open.push(usage)
    return usage
  }

  /** Moves the calendar only: the watchers' polls of all that time need not be played. */
  forward(ms: number): void {
    this.clock.setDate(new Date(this.clock.date().getTime() + ms))
  }

  async readJson(name: string): Promise<unknown> {
    return JSON.parse(await readFile(join(this.home, name), 'utf8'))
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.home, name), text)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const usage of this.#open) await usage.close()
    await rm(this.home, { recursive: true, force: true })
  }
}

/** A turn from its beginning to its end. */
export function turn(usage: Usage, owner: Origin | 'local', tokens = 0): void {
  usage.turnStarted(owner)
  usage.turnEnded(owner, { promptChars: 0, textChars: 0, usage: { inputTokens: tokens, outputTokens: 0 } })
}
