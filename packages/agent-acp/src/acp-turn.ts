/**
 * One turn: the prompt's request, what the agent reports until its answer, and how it is stopped.
 * Ends for the reader and for the agent at different times: `settled` tells when the agent may be asked again.
 */
import { AgentError, type TurnEvent } from '@leuria/agent'
import type { CancelTimer } from '@leuria/clock'
import { STOP_REASONS, type StopReason } from '@leuria/protocol'
import type { AcpConnection, ConnectionContext } from './acp-connection.js'
import type { TurnEvents } from './turn-events.js'
import { TURN_STEPS, type TurnInput, type TurnPhase, type TurnStep } from './turn-steps.js'
import { promptAnswer, readUsage } from './wire-shapes.js'

export interface TurnContext extends ConnectionContext {
  connection: AcpConnection
  /** The agent's id of the session. */
  agentSession: string
  /** The agent has answered the prompt by itself; with an error, it is that. */
  answered: (error: AgentError | null) => void
  /** The agent doesn't obey or says nothing any more: it must go. */
  giveUp: () => void
}

export class AcpTurn {
  readonly #context: TurnContext
  readonly #events: TurnEvents
  /** Resolves when the agent has answered the prompt, or never will. */
  readonly settled: Promise<void>
  #settle: () => void = () => undefined
  #phase: TurnPhase = 'open'
  #silence: CancelTimer | null = null
  #lastSignMs: number
  #cancelLimit: CancelTimer | null = null
  /** Set when the turn is stopped for a reason of its own (steps used up). */
  #stopReason: StopReason = 'cancelled'
  #usedTokens: number | null = null
  readonly #onEnd: (stopReason: StopReason) => void

  /** @param onEnd before the last event: calls that are still open can be closed */
  constructor(context: TurnContext, events: TurnEvents, onEnd: (stopReason: StopReason) => void) {
    this.#context = context
    this.#onEnd = onEnd
    this.#events = events
    this.settled = new Promise((resolve) => (this.#settle = resolve))
    this.#lastSignMs = context.clock.now()
  }

  get phase(): TurnPhase {
    return this.#phase
  }

  start(prompt: readonly object[]): void {
    const { connection, agentSession, limits, answered } = this.#context
    this.#watchSilence(limits.silenceMs)
    connection.request('session/prompt', { sessionId: agentSession, prompt }, null).then(
      (answer) => {
        this.#takeAnswer(answer)
      },
      (error: unknown) => {
        if (error instanceof AgentError) answered(error)
        this.fail(error instanceof Error ? error : new Error(String(error)))
      },
    )
  }

  /** What a message means now; a sign of life in any case. */
  step(input: TurnInput): TurnStep {
    this.#lastSignMs = this.#context.clock.now()
    return TURN_STEPS[this.#phase][input]
  }

  report(input: TurnInput, event: TurnEvent): void {
    if (this.step(input) === 'report') this.#events.push(event)
  }

  noteContext(usedTokens: number): void {
    this.#usedTokens = usedTokens
  }

  /** Stops it: the agent is told once, and has a limit to obey. */
  cancel(stopReason: StopReason = 'cancelled'): void {
    if (this.step('abort') !== 'begin_cancel') return
    const { connection, agentSession, clock, limits, name } = this.#context
    this.#phase = 'cancelling'
    this.#stopReason = stopReason
    if (stopReason === 'cancelled') this.#events.dropSpeech()
    void connection.notify('session/cancel', { sessionId: agentSession })
    this.#cancelLimit = clock.setTimer(limits.cancelMs, () => {
      const seconds = Math.round(limits.cancelMs / 1_000)
      this.fail(new AgentError('timed_out', `${name} did not stop within ${seconds} seconds.`))
      this.#context.giveUp()
    })
  }

  /** The session is being closed: nobody waits for the agent. */
  leave(): void {
    this.#finish('cancelled')
  }

  fail(error: Error): void {
    if (TURN_STEPS[this.#phase].failure === 'drop') return
    this.#close()
    this.#events.end(error)
  }

  #takeAnswer(answer: unknown): void {
    const { success, data } = promptAnswer.safeParse(answer)
    const step = this.step('answer')
    if (step === 'drop') return
    if (step === 'end') this.#context.answered(null)
    const usage = success ? readUsage(data) : null
    if (usage !== null) this.#events.push({ type: 'usage', ...usage })
    // What the context holds is the least that was read.
    else if (this.#usedTokens !== null) this.#events.push({ type: 'usage', inputTokens: this.#usedTokens })
    this.#finish(step === 'end_cancelled' ? this.#stopReason : readStopReason(success ? data.stopReason : undefined))
  }

  #finish(stopReason: StopReason): void {
    if (this.#phase === 'over') return
    this.#onEnd(stopReason)
    this.#events.push({ type: 'turn_end', stopReason })
    this.#close()
    this.#events.end()
  }

  #close(): void {
    this.#phase = 'over'
    this.#silence?.()
    this.#cancelLimit?.()
    this.#settle()
  }

  #watchSilence(delayMs: number): void {
    const { clock, limits, name } = this.#context
    this.#silence = clock.setTimer(delayMs, () => {
      const leftMs = this.#lastSignMs + limits.silenceMs - clock.now()
      if (leftMs > 0) {
        this.#watchSilence(leftMs)
        return
      }
      const minutes = Math.round(limits.silenceMs / 60_000)
      this.fail(new AgentError('timed_out', `${name} has been silent for ${minutes} minutes.`))
      this.#context.giveUp()
    })
  }
}

/** ACP's names, with its `max_turn_requests` under ours. What isn't known has at least ended. */
function readStopReason(reason: string | undefined): StopReason {
  if (reason === 'max_turn_requests') return 'max_turns'
  return STOP_REASONS.find((each) => each === reason) ?? 'end_turn'
}
