/**
 * Keeps account of what the page has had, so that after a reconnect no chunk comes twice and none is missing.
 * Pure: events of the engine in, events for the page out. It knows three ways to go on where a stream dropped: event ids,
 * counting the replayed chunks (never comparing them: a text may repeat itself), and the finished turn's whole text.
 */
import type { EngineEvent } from './read-event.js'
import { SESSION_TABLE, type SessionPhase, type SessionStep } from './session-state.js'

export interface LedgerEntry {
  event: EngineEvent
  /** `null`: this engine sends no ids, or not with this event. */
  id: string | null
}

/** What belongs to a turn and means that one is under way. */
const SIGNS_OF_A_TURN: readonly string[] = ['thought', 'tool_call', 'permission']

export class TurnLedger {
  #phase: SessionPhase = 'starting'
  /** A turn that the page asked for, or has seen begin, hasn't ended yet. */
  #turnOpen: boolean
  /** The page has been told that it began. */
  #turnStarted = false
  #turnNumber = 0
  #text = ''
  /** Chunks of the open turn that the page has had. */
  #chunks = 0
  /** Replayed chunks of this stream that the page has had. */
  #toSkip = 0
  /** Ids of the open turn and of the one before, which some engines replay. */
  #ids = new Set<string>()
  #olderIds = new Set<string>()
  /** The open turn has lived through a reconnect: something of it may be missing. */
  #recovered = false
  /** This stream has said `ready`: what follows without `turn_start` belongs to a turn that is over. */
  #saidReady = false
  /** Nothing of this stream has told yet which turn it is in. */
  #fresh = true
  /** The open turn was asked for after this stream was opened: its `turn_start` comes over this stream. */
  #isYoung = false

  /** @param prompted the session was prepared with a prompt: its first turn is asked for already */
  constructor(prompted: boolean) {
    this.#turnOpen = prompted
  }

  get phase(): SessionPhase {
    return this.#phase
  }

  get turnOpen(): boolean {
    return this.#turnOpen
  }

  /** The open turn's number. `null`: none is open. */
  get turn(): number | null {
    return this.#turnOpen ? this.#turnNumber : null
  }

  /** The text of the open turn so far, or of the last one. */
  get text(): string {
    return this.#text
  }

  /** This stream's greeting said that no turn is under way. */
  get saidReady(): boolean {
    return this.#saidReady
  }

  /** A stream was opened; its greeting and its replay follow. */
  streamOpened(isReopened: boolean): void {
    this.#toSkip = this.#chunks
    this.#saidReady = false
    this.#fresh = true
    this.#isYoung = false
    if (isReopened) this.#recovered = true
  }

  /** The page's prompt is on its way. */
  prompted(): void {
    this.#move('prompted')
    this.#openTurn()
    this.#isYoung = true
  }

  /** The engine refused the prompt, unless the turn is known to have begun all the same. */
  refused(): void {
    if (!this.#turnOpen || this.#turnStarted) return
    this.#turnOpen = false
    this.#move('refused')
  }

  /** The session is over. */
  end(): void {
    this.#move('final')
    this.#turnOpen = false
  }

  /** One event of the engine → what the page is told. Empty: nothing new in it. */
  take({ event, id }: LedgerEntry): EngineEvent[] {
    if (this.#phase === 'ended') return []
    if (id !== null) {
      if (this.#ids.has(id) || this.#olderIds.has(id)) return []
      this.#ids.add(id)
    }
    switch (event.event) {
      case 'ready':
        return this.#ready(event)
      case 'turn_start':
        return this.#turnStart()
      case 'chunk':
        return this.#chunk(event.data, id !== null)
      case 'turn_completed':
        return this.#turnCompleted(event)
      case 'completed':
      case 'cancelled':
      case 'failed':
        this.end()
        return [event]
      default:
        return SIGNS_OF_A_TURN.includes(event.event) ? this.#inTurn(event) : [event]
    }
  }

  /** The engine says that the open turn is over, and nothing more of it comes: its end was missed. */
  closeTurn(durationMs: number): EngineEvent[] {
    if (!this.#turnOpen) return []
    const start = this.#start()
    this.#endTurn()
    return [...start, { event: 'turn_completed', data: { text: this.#text, durationMs } }]
  }

  /** What this stream tells now is of a turn that was over before: the page has had it. */
  get #isStale(): boolean {
    return this.#turnOpen ? this.#isYoung && this.#saidReady : !this.#fresh
  }

  #move(step: SessionStep): void {
    this.#phase = SESSION_TABLE[this.#phase][step] ?? this.#phase
  }

  #openTurn(): void {
    this.#turnOpen = true
    this.#turnNumber += 1
    this.#turnStarted = false
    this.#recovered = false
    this.#text = ''
    this.#chunks = 0
    this.#toSkip = 0
    this.#olderIds = this.#ids
    this.#ids = new Set()
  }

  #endTurn(): void {
    this.#turnOpen = false
    this.#turnStarted = false
    this.#chunks = 0
    this.#toSkip = 0
    this.#fresh = false
    this.#move('turn_ended')
  }

  /** Tells the page that the turn began, unless it knows. */
  #start(): EngineEvent[] {
    if (this.#turnStarted) return []
    this.#turnStarted = true
    this.#move('turn_began')
    return [{ event: 'turn_start', data: null }]
  }

  #ready(event: EngineEvent): EngineEvent[] {
    this.#saidReady = true
    this.#fresh = false
    // With a turn open this is the greeting of a new stream: the turn's end was missed. Whoever reconnected looks into it.
    if (this.#turnOpen || this.#phase !== 'starting') return []
    this.#move('ready')
    return [event]
  }

  #turnStart(): EngineEvent[] {
    this.#saidReady = false
    this.#fresh = false
    // A turn begins only when the page asks; a second `turn_start` is a replay of the first.
    if (!this.#turnOpen) this.#openTurn()
    return this.#start()
  }

  #chunk(text: string, hasId: boolean): EngineEvent[] {
    if (this.#isStale) return []
    if (!this.#turnOpen) this.#openTurn()
    if (!hasId && this.#toSkip > 0) {
      this.#toSkip -= 1
      return []
    }
    this.#chunks += 1
    this.#text += text
    return [...this.#start(), { event: 'chunk', data: text }]
  }

  #inTurn(event: EngineEvent): EngineEvent[] {
    if (this.#isStale) return []
    if (!this.#turnOpen) this.#openTurn()
    return [...this.#start(), event]
  }

  #turnCompleted(event: EngineEvent & { event: 'turn_completed' }): EngineEvent[] {
    if (!this.#turnOpen || this.#isStale) return []
    const { text } = event.data
    const rest = this.#recovered && text.startsWith(this.#text) ? text.slice(this.#text.length) : ''
    this.#text += rest
    const missing: EngineEvent[] = rest === '' ? [] : [{ event: 'chunk', data: rest }]
    const start = this.#start()
    this.#endTurn()
    return [...start, ...missing, event]
  }
}
