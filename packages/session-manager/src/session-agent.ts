/**
 * The AI's side of a session: runs its turns on the runner, sends what it says to the stream, and tells the session
 * what has happened as events of the table. Never decides what follows from them.
 */
import { AgentError, type AgentExit, type AgentSession, type Prompt, type TurnEvent } from '@leuria/agent'
import type { CancelTimer, Clock } from '@leuria/clock'
import type { StopReason } from '@leuria/protocol'
import { AgentLog } from './agent-log.js'
import { AgentRunner } from './agent-runner.js'
import type { Failure } from './failure.js'
import type { SessionLimits } from './limits.js'
import type { SessionEvent } from './session-machine.js'
import type { SessionStream } from './session-stream.js'
import { forwardEvent } from './turn-events.js'
import { Turn } from './turn.js'

/** What an event of the table brings along. */
export interface Cause {
  prompt?: Prompt
  stopReason?: StopReason
  /** Why the session ends, where the status alone doesn't say it. */
  failure?: Failure
}

export interface SessionAgentOptions {
  clock: Clock
  limits: SessionLimits
  stream: SessionStream
  open: (signal: AbortSignal, log: (line: string) => void) => Promise<AgentSession>
  happened: (event: SessionEvent, cause?: Cause) => void
  /** Words and a code for what was thrown. */
  describe: (error: unknown) => Failure
  /** Something went wrong that changes nothing for the page. */
  onTrouble: (error: unknown) => void
  /** The AI has got a turn's prompt. */
  onSent: () => void
  /** The AI asked for something that it may not do. */
  onPermissionRefused: (toolName: string) => void
}

export class SessionAgent {
  #turn: Turn | null = null
  #exitTimer: CancelTimer | null = null
  #exit: AgentExit | null = null
  #stopped = false
  readonly #log: AgentLog
  readonly #runner: AgentRunner

  constructor(private readonly options: SessionAgentOptions) {
    const { clock, limits, stream, open, onTrouble } = options
    this.#log = new AgentLog(limits.maxLogChars, (line) => stream.emit('log', line))
    const log = (line: string): void => {
      if (!this.#stopped) this.#log.add(line)
    }
    this.#runner = new AgentRunner({
      clock,
      limits,
      open: async (signal) => open(signal, log),
      onExit: (exit) => this.#onExit(exit),
      onTrouble,
    })
  }

  /** The turn that the page is waiting for. */
  get turn(): Turn | null {
    return this.#turn
  }

  /** Starts the AI and tells `started` or `failed`. */
  async start(): Promise<void> {
    try {
      await this.#runner.start()
    } catch (error) {
      if (!this.#stopped) this.#fail(error)
      return
    }
    if (this.#turn === null) this.options.happened('started')
  }

  /** Begins a turn; the AI gets the prompt once it is up and has settled. */
  beginTurn(prompt: Prompt): void {
    this.#turn = new Turn(prompt)
    this.#log.reset()
    this.options.stream.beginTurn()
    void this.#run(this.#turn)
  }

  /** Ends the turn for the page, whatever the AI still does; gives it for the last word. */
  endTurn(): Turn | null {
    const turn = this.#turn
    this.#turn = null
    turn?.finish()
    return turn
  }

  /** The AI that ended during the turn which is over now: that it did so counts from here on. */
  noteTurnEnd(): void {
    if (this.#exit !== null) this.#tellExit(this.#exit)
  }

  /** Stops the AI and whatever it does. Resolves when it is gone, after 10 s at the latest. */
  stop(): Promise<void> {
    this.#stopped = true
    this.#exitTimer?.()
    this.#exitTimer = null
    return this.#runner.stop()
  }

  async #run(turn: Turn): Promise<void> {
    const { clock, onSent, onTrouble } = this.options
    try {
      await this.#runner.run({
        prompt: turn.prompt,
        signal: turn.signal,
        onSent: () => {
          turn.markSent(clock)
          onSent()
        },
        onEvent: (event) => this.#take(turn, event),
      })
      if (!turn.over) throw new AgentError('failed', 'The AI stopped in the middle of its answer.')
    } catch (error) {
      if (!turn.over) this.#fail(error)
      else if (!(error instanceof AgentError)) onTrouble(error)
    }
  }

  #take(turn: Turn, event: TurnEvent): void {
    if (turn.over) return
    const { stream, limits, happened, onPermissionRefused } = this.options
    if (event.type === 'turn_end') {
      happened('turn_completed', { stopReason: event.stopReason })
      return
    }
    if (event.type === 'text') turn.text.add(event.text)
    else if (event.type === 'usage') turn.usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens }
    else if (event.type === 'permission' && !event.allow) onPermissionRefused(event.toolName)
    forwardEvent(stream, event)
    if (stream.turnChars > limits.maxTurnChars)
      throw new AgentError('failed', 'The AI’s answer is longer than the engine can keep.')
  }

  /** An AI that ends may have said everything before: the answer on its way gets a moment to arrive. */
  #onExit(exit: AgentExit): void {
    this.#exit = exit
    if (this.#turn?.sent !== true) {
      this.#tellExit(exit)
      return
    }
    const { clock, limits } = this.options
    this.#exitTimer = clock.setTimer(limits.exitGraceMs, () => this.#tellExit(exit))
  }

  #tellExit(exit: AgentExit): void {
    this.#exitTimer?.()
    this.#exitTimer = null
    const inTurn = this.#turn !== null
    const message = exit.clean && inTurn ? 'The AI ended in the middle of a turn.' : exit.reason
    const failure = exit.clean && !inTurn ? undefined : { message, code: 'crashed' }
    this.options.happened(exit.clean ? 'exited_clean' : 'exited_badly', { failure })
  }

  #fail(error: unknown): void {
    this.options.happened('failed', { failure: this.options.describe(error) })
  }
}
