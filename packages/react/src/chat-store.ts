/** One request at a time, as a snapshot to render. Knows nothing of React. */
import type { ChatRequest, ChatRun, Leuria, LeuriaError, RunEvent } from '@leuria/client'

export interface ChatState {
  readonly status: 'idle' | 'running' | 'done' | 'error'
  /** What has been written so far; stays after the end. */
  readonly text: string
  /** Plain words about what goes on, while it does. */
  readonly progress: string | null
  /** With `done`, of a request with a `schema`. */
  readonly object: unknown
  /** With `done`: what a tool ended the request with. */
  readonly outcome: unknown
  /** With `error`: what the visitor may be told. */
  readonly error: LeuriaError | null
}

export const IDLE: ChatState = {
  status: 'idle',
  text: '',
  progress: null,
  object: undefined,
  outcome: undefined,
  error: null,
}

export class ChatStore {
  #state = IDLE
  #run: ChatRun | undefined
  readonly #listeners = new Set<() => void>()

  readonly getState = (): ChatState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Stops what goes on, and begins anew. */
  start<Checked, Output>(client: Leuria, request: ChatRequest<Checked, Output>): ChatRun<Output> {
    this.#leave()
    this.#become({ ...IDLE, status: 'running' })
    const run = client.chat(request)
    this.#run = run
    run.on((event) => {
      if (this.#run === run) this.#take(event)
    })
    return run
  }

  /** What was written stays; the status is `idle`. */
  readonly stop = (): void => {
    this.#leave()
    if (this.#state.status === 'running') this.#become({ ...this.#state, status: 'idle', progress: null })
  }

  #leave(): void {
    const run = this.#run
    this.#run = undefined
    run?.abort()
  }

  #take(event: RunEvent): void {
    const state = this.#state
    switch (event.type) {
      case 'text-delta':
        return this.#become({ ...state, text: state.text + event.text })
      case 'status':
        return this.#become({ ...state, progress: event.status })
      case 'finish': {
        const { text, object, outcome } = event
        return this.#become({ ...state, status: 'done', text, object, outcome, progress: null })
      }
      case 'error':
        // Called off from outside, by the request's own signal: nothing to report.
        if (event.error.code === 'aborted') return this.#become({ ...state, status: 'idle', progress: null })
        return this.#become({ ...state, status: 'error', error: event.error, progress: null })
      default:
    }
  }

  #become(state: ChatState): void {
    this.#state = state
    for (const listener of [...this.#listeners]) listener()
  }
}
