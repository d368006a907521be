/**
 * Keeps an engine running: starts it, starts it again when it dies, and tells where it is and what stands in the way.
 * One that says itself why it can't start isn't started again until somebody has done something about it.
 */
import type { ProcessEvent } from '@leuria/protocol'
import { type EngineProcess, startEngineProcess } from './engine-process.js'
import { restartDelayMs } from './restart-policy.js'

export type EngineState =
  | { kind: 'starting' }
  | { kind: 'ready'; port: number; token: string }
  /** `message` says what happened and what to do. */
  | { kind: 'failed'; code: string; message: string }

export interface EngineKeeperOptions {
  file: string
  env: NodeJS.ProcessEnv
  args?: readonly string[]
  onState: (state: EngineState) => void
  onEvent: (event: ProcessEvent) => void
  onLine: (line: string) => void
}

export class EngineKeeper {
  #state: EngineState = { kind: 'starting' }
  #process: EngineProcess | null = null
  #deathsMs: number[] = []
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(private readonly options: EngineKeeperOptions) {}

  get state(): EngineState {
    return this.#state
  }

  start(): void {
    if (this.#stopped || this.#process !== null) return
    clearTimeout(this.#timer)
    this.#become({ kind: 'starting' })
    const { onLine, ...rest } = this.options
    const started: EngineProcess = startEngineProcess({
      ...rest,
      onLine,
      onEvent: (event) => {
        this.#hear(event, started.token)
      },
      onEnd: (how) => {
        this.#process = null
        this.#onEnd(how)
      },
    })
    this.#process = started
  }

  /** After the visitor has done something about it. Does nothing while one runs. */
  retry(): void {
    this.#deathsMs = []
    this.start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#process?.stop()
  }

  /** Leaves nothing behind when this process has to end at once. */
  kill(): void {
    this.#stopped = true
    this.#process?.kill()
  }

  #hear(event: ProcessEvent, token: string): void {
    if (event.event === 'ready') this.#become({ kind: 'ready', port: event.port, token })
    if (event.event === 'error') this.#become({ kind: 'failed', code: event.code, message: event.message })
    this.options.onEvent(event)
  }

  #onEnd(how: string): void {
    if (this.#stopped || this.#state.kind === 'failed') return
    this.#deathsMs.push(Date.now())
    const delayMs = restartDelayMs(this.#deathsMs)
    if (delayMs === null) {
      const message = `Leuria's engine ended ${this.#deathsMs.length} times in a row (${how}). Try again, or look at what it says when the program is started in a terminal.`
      this.#become({ kind: 'failed', code: 'engine_died', message })
      return
    }
    this.#become({ kind: 'starting' })
    this.#timer = setTimeout(() => {
      this.start()
    }, delayMs)
  }

  #become(state: EngineState): void {
    this.#state = state
    this.options.onState(state)
  }
}
