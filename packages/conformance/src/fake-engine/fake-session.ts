/** A session of the kit's engine: its status, its streams, its turns. What the AI says in a turn is a script's. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { formatRegistrationToken, TOOL_NAME_PREFIX } from '@leuria/protocol'
import { type CallOutcome, FakeChannel, type FakeChannelParts } from './fake-channel.js'

export type FakeStatus = 'pending_approval' | 'running' | 'idle' | 'completed' | 'cancelled' | 'failed'
export type FakeEnd = Extract<FakeStatus, 'completed' | 'cancelled' | 'failed'>

/** What a script has of a turn. */
export interface FakeTurn {
  readonly prompt: string
  /** Aborted when the turn is stopped. */
  readonly signal: AbortSignal
  readonly session: FakeSession
  readonly say: (text: string) => void
  /** Calls a tool of the page, as the AI would. */
  readonly call: (tool: string, args?: unknown) => Promise<CallOutcome>
}

export type FakeAi = (turn: FakeTurn) => Promise<void>

export interface FakeSessionParts extends Omit<FakeChannelParts, 'session'> {
  origin: string
  port: number
  ai: () => FakeAi
  /** Its time to be read is over. */
  onGone: () => void
}

export class FakeSession {
  readonly id = randomUUID()
  readonly createdAt = new Date().toISOString()
  readonly channel: FakeChannel
  readonly streams = new Set<ServerResponse>()
  registered = false
  status: FakeStatus = 'pending_approval'
  approved = false
  error: string | undefined
  readonly #inner = randomUUID()
  #turn: { chunks: string[]; stop: AbortController; startedAt: number } | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly parts: FakeSessionParts,
    private readonly firstPrompt: string | undefined,
  ) {
    this.channel = new FakeChannel({ ...parts, session: this.id })
  }

  get origin(): string {
    return this.parts.origin
  }

  get live(): boolean {
    return ['pending_approval', 'running', 'idle'].includes(this.status)
  }

  get innerToken(): string {
    return this.#inner
  }

  /** What `prepare` and `webmcp_ready` tell. */
  get tokens(): { registrationToken: string; webmcpUrl: string } {
    const { port } = this.parts
    return {
      registrationToken: formatRegistrationToken(`ws://127.0.0.1:${port}`, this.#inner),
      webmcpUrl: `http://127.0.0.1:${port}`,
    }
  }

  info(): Record<string, unknown> {
    const { id, status, origin, createdAt, error } = this
    return { id, status, origin, createdAt, ...(error === undefined ? {} : { error }), ...this.tokens }
  }

  approve(): void {
    this.approved = true
    this.emit('webmcp_ready', this.tokens)
    if (this.firstPrompt !== undefined) this.run(this.firstPrompt)
    else {
      this.status = 'idle'
      this.emit('ready', null)
    }
  }

  run(prompt: string): void {
    const turn = { chunks: [] as string[], stop: new AbortController(), startedAt: performance.now() }
    this.#turn = turn
    this.status = 'running'
    this.emit('turn_start', null)
    const { signal } = turn.stop
    const say = (text: string): void => {
      if (this.#turn !== turn) return
      turn.chunks.push(text)
      this.emit('chunk', text)
    }
    const call = (tool: string, args: unknown = {}) => this.#call(tool, args)
    void this.parts
      .ai()({ prompt, signal, session: this, say, call })
      .then(
        () => {
          if (this.#turn === turn) this.#endTurn()
        },
        (error: unknown) => {
          this.end('failed', error instanceof Error ? error.message : String(error))
        },
      )
  }

  cancelTurn(): void {
    this.#turn?.stop.abort()
    if (this.#turn !== null) this.#endTurn()
  }

  end(status: FakeEnd, error?: string): void {
    if (!this.live) return
    this.#turn?.stop.abort()
    this.#turn = null
    this.status = status
    this.error = error
    this.emit(status, error ?? null)
    for (const stream of this.streams) stream.end()
    this.streams.clear()
    this.channel.end()
    this.#timer = setTimeout(this.parts.onGone, this.parts.times.readableMs)
  }

  /** Frees its timer. */
  dispose(): void {
    clearTimeout(this.#timer)
    for (const stream of this.streams) stream.destroy()
    this.channel.drop()
  }

  /** A new reader: the greeting, what it missed, then whatever comes. */
  open(response: ServerResponse): void {
    const { has } = this.parts
    response.flushHeaders()
    const write = (event: string, data: unknown): boolean => response.write(format(event, data))
    if (!this.live) {
      if (!has('no_final_event')) write(this.status, this.error ?? null)
      response.end()
      return
    }
    if (this.approved) write('webmcp_ready', this.tokens)
    if (this.status === 'idle' && !has('no_greeting_ready')) write('ready', null)
    if (!has('no_chunk_replay')) for (const chunk of this.#turn?.chunks ?? []) write('chunk', chunk)
    this.streams.add(response)
    response.on('close', () => this.streams.delete(response))
  }

  /** Cuts every stream; readers may come back. */
  dropStreams(): void {
    for (const stream of this.streams) stream.destroy()
    this.streams.clear()
  }

  emit(event: string, data: unknown): void {
    this.parts.log.add({ kind: 'event', session: this.id, event })
    for (const stream of this.streams) stream.write(format(event, data))
  }

  async #call(tool: string, args: unknown): Promise<CallOutcome> {
    const data = { toolCallId: randomUUID(), title: tool, toolName: `${TOOL_NAME_PREFIX}${tool}` }
    this.emit('tool_call', { ...data, status: 'in_progress' })
    const outcome = await this.channel.call(tool, args)
    if (this.live) this.emit('tool_call', { ...data, status: outcome.ok ? 'completed' : 'failed' })
    return outcome
  }

  #endTurn(): void {
    if (this.#turn === null) return
    const { chunks, startedAt } = this.#turn
    this.#turn = null
    this.status = 'idle'
    const said = this.parts.has('turn_text_wrong') ? chunks.slice(1) : chunks
    this.emit('turn_completed', { text: said.join(''), durationMs: Math.round(performance.now() - startedAt) })
  }
}

function format(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
