/** A session of the demo AI: one turn at a time, remembering between turns, ended at any moment. */
import {
  AgentError,
  type AgentExit,
  type AgentSession,
  type OpenOptions,
  type Prompt,
  type TurnEvent,
} from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { sayAttachments } from './say-attachments.js'
import { createMemory } from './session-memory.js'
import { streamWords } from './stream-words.js'
import { workOn, type TurnState } from './turn.js'

/** Calls a turn makes at most when the page sets no limit: a lookup and a call for each of three things, twice over. */
const DEFAULT_MAX_STEPS = 12

export interface SessionSettings {
  readonly clock: Clock
  readonly wordDelayMs: number
}

export class DemoSession implements AgentSession {
  /** Never resolves: there is no process that could end. */
  readonly exited = new Promise<AgentExit>(() => undefined)
  readonly #closing = new AbortController()
  readonly #settings: SessionSettings
  readonly #state: TurnState

  constructor(options: Pick<OpenOptions, 'tools' | 'maxTurns'>, settings: SessionSettings) {
    this.#settings = settings
    this.#state = {
      tools: options.tools,
      memory: createMemory(),
      clock: settings.clock,
      maxSteps: options.maxTurns ?? DEFAULT_MAX_STEPS,
      open: undefined,
      calls: 0,
    }
  }

  async *prompt(prompt: Prompt, signal: AbortSignal): AsyncGenerator<TurnEvent> {
    if (this.#closing.signal.aborted) throw new AgentError('failed', 'This conversation has ended.')
    const ending = AbortSignal.any([signal, this.#closing.signal])
    const said = yield* workOn(this.#state, prompt.text, ending)
    if (said !== undefined) {
      const opening = sayAttachments(prompt.attachments)
      for await (const text of streamWords(opening + said.text, this.#settings, ending)) yield { type: 'text', text }
    }
    const finished = said?.isOutOfSteps === true ? 'max_turns' : 'end_turn'
    yield { type: 'turn_end', stopReason: ending.aborted ? 'cancelled' : finished }
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }
}
