/**
 * A service's models in memory: read at once, looked for again in the background when they are old.
 * How a service is asked is the adapter's part; this decides when, and what is kept when an answer fails.
 */
import { AgentError, type ModelInfo, type ModelSnapshot } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { keepModels } from './kept-models.js'

export interface ModelListOptions {
  /** Asks the service. @throws AgentError in words for people */
  discover: (signal: AbortSignal) => Promise<readonly ModelInfo[]>
  clock: Clock
  /** How long a look counts as fresh. @default 10 s */
  freshMs?: number
  /** The longest a look may take. @default 5 s */
  limitMs?: number
}

export interface ModelList {
  /** What is known, at once. Starts a look in the background when it is old. */
  snapshot(): ModelSnapshot
  /** Looks now, or joins a look under way. Never rejects. */
  refresh(): Promise<ModelSnapshot>
  subscribe(listener: (snapshot: ModelSnapshot) => void): () => void
  /** Ends a look under way; no other one begins. */
  close(): void
}

/** "cached 10 s": a model that was added or removed is noticed by then. */
export const MODELS_FRESH_MS = 10_000
/** Longer than a busy local service takes to list its models, shorter than a person's patience. */
export const DISCOVERY_LIMIT_MS = 5_000

const UNKNOWN: ModelSnapshot = { state: 'unknown', models: [] }

export function createModelList(options: ModelListOptions): ModelList {
  return new CachedModels(options)
}

class CachedModels implements ModelList {
  #snapshot = UNKNOWN
  #lookedAt = -Infinity
  #look: Promise<ModelSnapshot> | undefined
  readonly #closing = new AbortController()
  readonly #listeners = new Set<(snapshot: ModelSnapshot) => void>()

  constructor(private readonly options: ModelListOptions) {}

  snapshot(): ModelSnapshot {
    const { clock, freshMs = MODELS_FRESH_MS } = this.options
    if (clock.now() - this.#lookedAt >= freshMs) void this.refresh()
    return this.#snapshot
  }

  refresh(): Promise<ModelSnapshot> {
    if (this.#closing.signal.aborted) return Promise.resolve(this.#snapshot)
    this.#look ??= this.#find().finally(() => {
      this.#look = undefined
    })
    return this.#look
  }

  subscribe(listener: (snapshot: ModelSnapshot) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#closing.abort()
    this.#listeners.clear()
  }

  async #find(): Promise<ModelSnapshot> {
    const found = await this.#ask()
    if (this.#closing.signal.aborted) return this.#snapshot
    this.#lookedAt = this.options.clock.now()
    if (JSON.stringify(found) !== JSON.stringify(this.#snapshot)) {
      this.#snapshot = found
      for (const listener of this.#listeners) listener(found)
    }
    return this.#snapshot
  }

  async #ask(): Promise<ModelSnapshot> {
    const { clock, discover, limitMs = DISCOVERY_LIMIT_MS } = this.options
    const own = new AbortController()
    const stop = (): void => {
      own.abort()
    }
    this.#closing.signal.addEventListener('abort', stop)
    const cancelTimer = clock.setTimer(limitMs, stop)
    try {
      const models = await Promise.race([discover(own.signal), aborted(own.signal)])
      return { state: 'running', models: keepModels(models) }
    } catch (error) {
      return this.#without(
        error instanceof AgentError
          ? error
          : new AgentError('failed', 'Its models could not be read.', { cause: error }),
      )
    } finally {
      cancelTimer()
      this.#closing.signal.removeEventListener('abort', stop)
    }
  }

  /** A service that is only slow (it may be busy with an answer) keeps the models it had. */
  #without(error: AgentError): ModelSnapshot {
    const slow = error.code === 'timed_out' && this.#snapshot.state === 'running'
    return slow
      ? { state: 'running', models: this.#snapshot.models, problem: error.message }
      : { state: 'unavailable', models: [], problem: error.message }
  }
}

/** Rejects when the signal aborts: even a `discover` that doesn't listen is not waited for. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new AgentError('timed_out', 'It did not tell its models in time.'))
    })
  })
}
