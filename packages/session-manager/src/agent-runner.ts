/**
 * Owns one session's AI: opens it within the limit, hands it one prompt after the other, stops it.
 * Nothing of an AI outlives `stop`, not even one that starts afterwards. What its events mean is the session's business.
 */
import { AgentError, type AgentExit, type AgentSession, type Prompt, type TurnEvent } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { waitFor } from './bounded-wait.js'
import type { SessionLimits } from './limits.js'

/** An adapter's `close` settles within 10 s by contract; one that doesn't is left behind. */
const CLOSE_LIMIT_MS = 10_000

export interface RunnerOptions {
  clock: Clock
  limits: Pick<SessionLimits, 'startMs' | 'settleMs'>
  /** Starts the AI. `signal` is aborted when nobody wants it any more. */
  open: (signal: AbortSignal) => Promise<AgentSession>
  /** The AI ended by itself. */
  onExit: (exit: AgentExit) => void
  /** Something went wrong that changes nothing for the page. */
  onTrouble: (error: unknown) => void
}

export interface TurnRequest {
  prompt: Prompt
  /** Aborted when the turn is cancelled. */
  signal: AbortSignal
  /** The prompt goes to the AI now. */
  onSent: () => void
  onEvent: (event: TurnEvent) => void
}

export class AgentRunner {
  readonly #stop = new AbortController()
  #opening: Promise<AgentSession> | null = null
  /** Settles when the AI is free for the next prompt; `null`: it is. */
  #busy: Promise<void> | null = null
  #stopping: Promise<void> | null = null

  constructor(private readonly options: RunnerOptions) {}

  /** Starts the AI; resolves when it is up. @throws AgentError, or whatever `open` throws */
  async start(): Promise<void> {
    this.#opening = this.#open()
    const agent = await this.#opening
    agent.exited.then(
      (exit) => {
        if (!this.#stop.signal.aborted) this.options.onExit(exit)
      },
      (error: unknown) => this.options.onTrouble(error),
    )
  }

  async #open(): Promise<AgentSession> {
    const { clock, limits, open } = this.options
    const { signal } = this.#stop
    const starting = (async () => open(signal))()
    const outcome = await waitFor(starting, { clock, limitMs: limits.startMs, signal })
    if (outcome.kind === 'done') return outcome.value
    // Nobody waits any more: whatever still comes up is closed at once.
    starting.then(
      (agent) => this.#close(agent),
      () => undefined,
    )
    if (outcome.kind === 'aborted') throw new AgentError('failed', 'The session ended while the AI was starting.')
    this.#stop.abort()
    throw new AgentError('timed_out', `The AI did not start within ${Math.round(limits.startMs / 1_000)} seconds.`)
  }

  /**
   * Runs a turn as soon as the AI is up and has settled. Resolves when the AI is done with it,
   * or at once when the turn is cancelled before the AI has got it.
   */
  async run(request: TurnRequest): Promise<void> {
    const agent = await this.#opening
    if (agent === null) throw new Error('A turn was run before the AI was started.')
    await this.#untilFree(request.signal)
    if (request.signal.aborted || this.#stop.signal.aborted) return
    const turn = this.#iterate(agent, request)
    this.#occupy(turn)
    await turn
  }

  #occupy(turn: Promise<void>): void {
    const free = (): void => {
      if (this.#busy === busy) this.#busy = null
    }
    const busy: Promise<void> = turn.then(free, free)
    this.#busy = busy
  }

  async #iterate(agent: AgentSession, { prompt, signal, onSent, onEvent }: TurnRequest): Promise<void> {
    onSent()
    for await (const event of agent.prompt(prompt, signal)) onEvent(event)
  }

  /** A cancelled turn settles behind the page's back; the next prompt waits for it, but not for ever. */
  async #untilFree(signal: AbortSignal): Promise<void> {
    if (this.#busy === null) return
    const { clock, limits } = this.options
    const outcome = await waitFor(this.#busy, {
      clock,
      limitMs: limits.settleMs,
      signal: AbortSignal.any([signal, this.#stop.signal]),
    })
    if (outcome.kind === 'late')
      throw new AgentError('timed_out', 'The AI did not stop after the last turn was cancelled.')
  }

  /** Stops the AI, started or starting. Idempotent; always resolves, after 10 s at the latest. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopOnce()
    return this.#stopping
  }

  async #stopOnce(): Promise<void> {
    this.#stop.abort()
    const agent = await this.#opening?.catch(() => null)
    if (agent != null) await this.#close(agent)
    // An ended session stays readable for minutes: its AI's conversation doesn't stay in memory with it.
    this.#opening = null
  }

  async #close(agent: AgentSession): Promise<void> {
    try {
      const closing = (async () => agent.close())()
      const outcome = await waitFor(closing, { clock: this.options.clock, limitMs: CLOSE_LIMIT_MS })
      if (outcome.kind !== 'done') this.options.onTrouble(new Error('An AI did not close within its limit.'))
    } catch (error) {
      this.options.onTrouble(error)
    }
  }
}
