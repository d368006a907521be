/** The engine under test: where it is, what the kit may wait for, and what several checks share (its sites, its recordings). */
import type { Mode } from '../clauses/clause.js'
import { cannotSee } from '../report/observe.js'
import type { PageTimes } from '../page-times.js'
import { type Answer, type Call, send } from '../wire-http.js'
import type { Visitor } from './visitor.js'

/** A site of the kit that the visitor connected. */
export interface Site {
  readonly origin: string
  token: string
  /** Its sessions that live. */
  readonly live: Set<string>
}

export interface SubjectOptions {
  /** `http://127.0.0.1:<port>` */
  url: URL
  mode: Mode
  visitor: Visitor
  times: PageTimes
  /** Longest single wait; checks that need more are not observable. */
  patienceMs: number
  /** How long the visitor may take for an answer. */
  answerLimitMs: number
  /** How long a turn of the AI may take. */
  turnLimitMs: number
  /** Asks the AI to call the kit's tool and to repeat what it says. */
  toolPrompt: string
  /** The home folder of the engine. */
  home?: string
  /** Twenty questions may be put to the visitor at once. */
  flood: boolean
}

export class Subject {
  readonly #memory = new Map<string, Promise<unknown>>()
  readonly #cleanups: (() => unknown)[] = []
  /** Origins of this run: an engine remembers those of earlier ones. */
  readonly #run = Math.random().toString(36).slice(2, 8)

  constructor(readonly options: SubjectOptions) {}

  origin(name: string): string {
    return `https://${name}-${this.#run}.example`
  }

  call(path: string, call: Call = {}): Promise<Answer> {
    return send(new URL(path, this.options.url), call)
  }

  socketUrl(path: string): string {
    return new URL(path, this.options.url).href.replace(/^http/, 'ws')
  }

  /** Is done at the end of the whole check, last one first. */
  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup)
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await Promise.resolve(cleanup()).catch(() => undefined)
  }

  /** Makes it once; everyone gets the same, or the same failure. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#memory.get(name) as Promise<Value> | undefined
    if (known !== undefined) return known
    const making = make()
    making.catch(() => undefined)
    this.#memory.set(name, making)
    return making
  }

  /** @throws NotObservable when that is more than the person who runs the kit will wait */
  needsMs(ms: number): void {
    const { patienceMs } = this.options
    if (ms > patienceMs)
      cannotSee(`it takes ${Math.round(ms / 1_000)} s; wait longer with --patience ${Math.ceil(ms / 1_000) + 5}`)
  }
}
