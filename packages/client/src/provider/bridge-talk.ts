/**
 * One conversation's session with the visitor's AI: started at the first message (or by `warm`), then one turn after the
 * other. Which turn follows which, and the history, are the conversation's.
 */
import type { Clock } from '@leuria/clock'
import type { BridgeClient } from '../engine/bridge-client.js'
import type { BridgeEvent, BridgeSession } from '../engine/bridge-session.js'
import { AbortError, LeuriaError } from '../errors.js'
import type { Message } from '../message/message.js'
import { toPrompt } from './bridge-prompt.js'
import type { ProviderSession, SessionOptions, ToolDeclaration, TurnContext } from './provider.js'

export interface BridgeTalkOptions extends SessionOptions {
  client: BridgeClient
  clock: Clock
}

/** How long a stopped turn may take to end before its session is given up. */
const CANCEL_GRACE_MS = 10_000
/** An AI's steps are its tool calls and its words before and after them; an engine takes 50 at most. */
const EXTRA_STEPS = 2
const MAX_TURNS = 50

interface Turn {
  context: TurnContext
  end: (text: string) => void
  fail: (error: LeuriaError) => void
}

export class BridgeTalk implements ProviderSession {
  readonly #options: BridgeTalkOptions
  readonly #over = new AbortController()
  #starting?: Promise<BridgeSession>
  #session?: BridgeSession
  #turn?: Turn
  #tellReady: () => void = noop
  readonly #ready = new Promise<void>((resolve) => {
    this.#tellReady = resolve
  })
  /** What the AI hasn't been told yet of what was said before. */
  #untold: readonly Message[]

  constructor(options: BridgeTalkOptions) {
    this.#options = options
    this.#untold = options.history
  }

  /** It was closed, couldn't be started, or the engine ended it. */
  get closed(): boolean {
    return this.#over.signal.aborted || this.#session?.status === 'ended'
  }

  async warm(): Promise<void> {
    const session = await this.#start()
    await this.#ready
    if (session.status === 'ended') throw session.error ?? ended()
  }

  async send(message: Message, context: TurnContext): Promise<{ text: string }> {
    const { signal } = context
    let cancelTimer = noop
    /** What stopping means changes: until there is a session, giving it up; then the prompt's own affair; then this turn's. */
    let stop = (): void => void this.close()
    const onAbort = (): void => {
      stop()
    }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) stop()
    try {
      const session = await this.#start()
      const whole = new Promise<string>((end, fail) => {
        this.#turn = { context, end, fail }
      })
      stop = noop
      const asked = await Promise.race([this.#ask(session, message, signal), whole])
      if (asked === false) return { text: '' }
      stop = () => {
        session.cancelTurn().catch(noop)
        cancelTimer = this.#options.clock.setTimer(CANCEL_GRACE_MS, () => void this.close())
      }
      if (signal.aborted) stop()
      return { text: (await whole) || session.text }
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', onAbort)
      this.#turn = undefined
    }
  }

  /** The request leaves before this returns, so that it may be called while the page is being left. */
  close(): Promise<void> | undefined {
    this.#over.abort()
    this.#turn?.fail(new AbortError())
    return this.#session?.close()
  }

  #start(): Promise<BridgeSession> {
    const { client, system, tools, maxSteps } = this.#options
    const { signal } = this.#over
    this.#starting ??= client
      .startSession({
        systemPrompt: system,
        maxTurns: Math.min(maxSteps + EXTRA_STEPS, MAX_TURNS),
        tools: tools.map((tool) => ({ ...tool, execute: (args, { callId }) => this.#runTool(tool, args, callId) })),
        onEvent: (event) => {
          this.#onEvent(event)
        },
        signal,
      })
      .then(
        (session) => {
          this.#session = session
          if (signal.aborted) void session.close()
          return session
        },
        (error: unknown) => {
          this.#over.abort()
          throw error
        },
      )
    return this.#starting
  }

  /** False: it was called off before it left. */
  async #ask(session: BridgeSession, message: Message, signal: AbortSignal): Promise<boolean> {
    try {
      await session.prompt(...toPrompt(message, { history: this.#untold, signal }))
    } catch (error) {
      if (!(error instanceof AbortError)) throw error
      if (session.status !== 'running') return false
    }
    this.#untold = []
    return true
  }

  async #runTool({ name }: ToolDeclaration, args: unknown, callId: string): Promise<unknown> {
    if (this.#turn === undefined) throw new Error('The turn is over.')
    const outcome = await this.#turn.context.runTool({ name, args, callId })
    if (outcome.ok) return outcome.result
    throw new Error(outcome.error)
  }

  #onEvent(event: BridgeEvent): void {
    const { context, end, fail } = this.#turn ?? {}
    switch (event.event) {
      case 'ready':
        this.#tellReady()
        break
      case 'chunk':
        context?.text(event.data)
        break
      case 'thought':
        context?.reasoning(event.data)
        break
      case 'status':
        context?.status(event.data.text)
        break
      case 'reconnecting':
        context?.status('Reconnecting…')
        break
      case 'reconnected':
        context?.status(null)
        break
      case 'turn_completed':
        end?.(event.data.text)
        break
      case 'completed':
      case 'cancelled':
      case 'failed':
        this.#tellReady()
        context?.status(null)
        fail?.(this.#session?.error ?? ended())
        break
      default: // What else an AI tells is not for the page.
    }
  }
}

function ended(): LeuriaError {
  return new LeuriaError('This conversation with your AI is over.', { code: 'ended' })
}

function noop(): void {
  // Nobody waits for this.
}
