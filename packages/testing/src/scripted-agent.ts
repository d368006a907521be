/**
 * An AI for tests, as an `AgentAdapter`: it plays scripts, or does by hand what a test tells it, and misbehaves on demand:
 * doesn't start, ignores a cancel, sends late text, dies, never closes.
 */
import type { AgentAdapter, AgentExit, AgentSession, OpenOptions, Prompt, TurnEvent } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { ScriptedTurn } from './scripted-turn.js'
import { playScript, type TurnScript } from './turn-script.js'

export interface ScriptedAgentOptions {
  id?: string
  name?: string
  /** What each turn of a session does, by order or by prompt; turns without a script are driven by hand. */
  turns?: readonly TurnScript[] | ((prompt: Prompt) => TurnScript | undefined)
  /** `at_once`; `by_hand`: `openings` decide (or hang for ever); an error: opening fails with it. @default 'at_once' */
  start?: 'at_once' | 'by_hand' | Error
  /** `obey`: a cancelled turn ends at once. `ignore`: it goes on as if nothing had been said. @default 'obey' */
  onCancel?: 'obey' | 'ignore'
  /** `obey`; `hang`: `close` never settles; an error: it rejects. @default 'obey' */
  onClose?: 'obey' | 'hang' | Error
  /** For `pause` steps. @default the system's clock */
  clock?: Clock
}

/** An `open` that waits for the test's hand. */
export interface Opening {
  options: OpenOptions
  succeed(): ScriptedSession
  fail(error: Error): void
}

export class ScriptedSession implements AgentSession {
  readonly exited: Promise<AgentExit>
  /** Every turn that was asked for, oldest first. */
  readonly turns: ScriptedTurn[] = []
  #exit: (exit: AgentExit) => void = () => undefined
  readonly #closing = new AbortController()

  constructor(
    readonly options: OpenOptions,
    readonly behaviour: ScriptedAgentOptions,
  ) {
    this.exited = new Promise((resolve) => (this.#exit = resolve))
  }

  /** True once `close` was called. */
  get closed(): boolean {
    return this.#closing.signal.aborted
  }

  /** The newest turn. @throws when nothing has been asked yet */
  get turn(): ScriptedTurn {
    const turn = this.turns.at(-1)
    if (turn === undefined) throw new Error('The AI has not been asked anything yet.')
    return turn
  }

  /** Ends the AI as its program would: in order, or by a crash with a reason. */
  exit(exit: AgentExit = { clean: true, reason: 'The AI ended.' }): void {
    this.#exit(exit)
  }

  async *prompt(prompt: Prompt, signal: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
    const turn = new ScriptedTurn(prompt, signal)
    const { turns } = this.behaviour
    const script = typeof turns === 'function' ? turns(prompt) : turns?.[this.turns.length]
    this.turns.push(turn)
    const stop = this.behaviour.onCancel === 'ignore' ? this.#closing.signal : signal
    if (script === undefined) yield* this.#byHand(turn, stop)
    else yield* this.#played(turn, script, stop)
  }

  async *#byHand(turn: ScriptedTurn, stop: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
    const obey = (): void => {
      if (!turn.ended) turn.end('cancelled')
    }
    if (stop.aborted) obey()
    stop.addEventListener('abort', obey)
    this.#closing.signal.addEventListener('abort', obey)
    try {
      yield* turn.events()
    } finally {
      stop.removeEventListener('abort', obey)
      this.#closing.signal.removeEventListener('abort', obey)
    }
  }

  async *#played(
    turn: ScriptedTurn,
    script: TurnScript,
    stop: AbortSignal,
  ): AsyncGenerator<TurnEvent, void, undefined> {
    const signal = AbortSignal.any([stop, this.#closing.signal])
    const { clock } = this.behaviour
    try {
      yield* playScript(script, { tools: this.options.tools, signal, clock, exit: (exit) => this.exit(exit) })
      if (signal.aborted) yield { type: 'turn_end', stopReason: 'cancelled' }
    } finally {
      turn.finish()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const { onClose = 'obey' } = this.behaviour
    if (onClose instanceof Error) throw onClose
    if (onClose === 'hang') await new Promise(() => undefined)
  }
}

export class ScriptedAgent implements AgentAdapter {
  readonly id: string
  readonly name: string
  /** Every session that was opened, oldest first. */
  readonly sessions: ScriptedSession[] = []
  /** Every `open` that waits for the test's hand, oldest first. */
  readonly openings: Opening[] = []

  constructor(readonly behaviour: ScriptedAgentOptions = {}) {
    this.id = behaviour.id ?? 'scripted'
    this.name = behaviour.name ?? 'Scripted AI'
  }

  /** The newest session. @throws when none was opened */
  get session(): ScriptedSession {
    const session = this.sessions.at(-1)
    if (session === undefined) throw new Error('The AI has not been opened yet.')
    return session
  }

  /** The newest turn of the newest session. */
  get turn(): ScriptedTurn {
    return this.session.turn
  }

  /** How many sessions were opened and never closed. */
  get running(): number {
    return this.sessions.filter((session) => !session.closed).length
  }

  async open(options: OpenOptions): Promise<ScriptedSession> {
    const { start = 'at_once' } = this.behaviour
    if (start instanceof Error) throw start
    if (start === 'at_once') return this.#begin(options)
    return new Promise((resolve, reject) => {
      this.openings.push({
        options,
        succeed: () => {
          const session = this.#begin(options)
          resolve(session)
          return session
        },
        fail: reject,
      })
    })
  }

  #begin(options: OpenOptions): ScriptedSession {
    const session = new ScriptedSession(options, this.behaviour)
    this.sessions.push(session)
    return session
  }
}

/** An AI that does what the test says. */
export function scriptedAgent(options: ScriptedAgentOptions = {}): ScriptedAgent {
  return new ScriptedAgent(options)
}
