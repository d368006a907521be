/** One session of a fake engine: its life, its turns, and what a new stream is told. */
import type { ToolOutcome } from '@leuria/agent'
import { formatRegistrationToken, isLive, type SessionStatus } from '@leuria/protocol'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { PuppetAi } from '../puppet-ai.js'
import { FakeChannel } from './fake-channel.js'
import { FakeStream } from './fake-stream.js'
import type { FakeEngineFaults, FakeEngineSwitches } from './switches.js'

export interface FakeSessionContext {
  url: string
  switches: FakeEngineSwitches
  faults: FakeEngineFaults
  puppet: PuppetAi
}

interface SentEvent {
  id: number
  text: string
}

export class FakeSession {
  readonly id = randomUUID()
  readonly registrationToken = randomUUID()
  readonly streams = new Set<FakeStream>()
  readonly channel: FakeChannel
  status: SessionStatus = 'pending_approval'
  error: string | undefined
  private readonly createdAt = new Date().toISOString()
  private readonly sent: SentEvent[] = []
  private chunks: string[] = []
  private finished: string | undefined
  private turn: AbortController | undefined

  constructor(
    readonly origin: string,
    private readonly body: Record<string, unknown>,
    private readonly context: FakeSessionContext,
  ) {
    this.channel = new FakeChannel(this.id, context.switches)
  }

  get tokens(): { registrationToken: string; webmcpUrl: string } {
    const { url } = this.context
    return {
      registrationToken: formatRegistrationToken(url.replace('http:', 'ws:'), this.registrationToken),
      webmcpUrl: url,
    }
  }

  info(): Record<string, unknown> {
    const { id, status, origin, createdAt, error } = this
    return { id, status, origin, createdAt, ...(error === undefined ? {} : { error }), ...this.tokens }
  }

  /** Carries an action out. A text: why the session's state doesn't allow it. */
  act(action: string, body: Record<string, unknown>): string | null {
    if (action === 'approve') return this.approve()
    if (action === 'prompt') return this.prompt(body.prompt)
    if (action === 'cancel-turn') this.turn?.abort()
    else if (isLive(this.status)) this.finish(action === 'cancel' ? 'cancelled' : 'completed')
    return null
  }

  /** Ends the session: the channel goes first, then the event. */
  finish(status: 'completed' | 'cancelled' | 'failed', error?: string): void {
    if (!isLive(this.status)) return
    this.status = status
    this.error = error
    this.turn?.abort()
    this.channel.end()
    this.emit(status, error ?? null)
    for (const stream of this.streams) stream.end()
    this.streams.clear()
  }

  /** Opens a stream: the greeting, what was missed, then what happens. */
  stream(response: ServerResponse, lastEventId: string | null): void {
    const { switches, faults } = this.context
    const stream = new FakeStream(response, switches, faults.cutStreams.shift() ?? Infinity)
    response.on('close', () => this.streams.delete(stream))
    if (!isLive(this.status)) {
      stream.write(this.frame(this.status, this.error ?? null))
      stream.end()
      return
    }
    this.streams.add(stream)
    stream.write(this.greeting() + this.missed(lastEventId))
  }

  emit(event: string, data: unknown): void {
    const id = this.sent.length + 1
    const text = this.frame(event, data, id)
    this.sent.push({ id, text })
    for (const stream of this.streams) stream.write(text)
  }

  private approve(): string | null {
    if (this.status !== 'pending_approval') return 'This session was approved before.'
    this.status = 'running'
    this.emitGreeting()
    if (typeof this.body.prompt === 'string') this.start(this.body.prompt)
    else {
      this.status = 'idle'
      this.emit('ready', null)
    }
    return null
  }

  private emitGreeting(): void {
    for (const stream of this.streams) stream.write(this.frame('webmcp_ready', this.tokens))
  }

  private prompt(prompt: unknown): string | null {
    if (this.status !== 'idle') return 'This session is not idle.'
    if (typeof prompt !== 'string' || prompt.trim() === '') return 'prompt must be a non-empty string'
    this.start(prompt)
    return null
  }

  private start(prompt: string): void {
    this.status = 'running'
    this.chunks = []
    this.finished = undefined
    this.turn = new AbortController()
    this.emit('turn_start', null)
    void this.run(prompt, this.turn.signal)
  }

  private async run(prompt: string, signal: AbortSignal): Promise<void> {
    const call = (request: { name: string; arguments: unknown; signal?: AbortSignal }): Promise<ToolOutcome> =>
      this.channel.call(request)
    try {
      for await (const event of this.context.puppet.run({ prompt, signal, call })) {
        if (!isLive(this.status)) return
        if (event.type === 'turn_end') this.complete(event.stopReason)
        else if (event.type === 'text') {
          this.chunks.push(event.text)
          this.emit('chunk', event.text)
        } else if (event.type === 'thought') this.emit('thought', event.text)
        else {
          const { type, ...data } = event
          this.emit(type, data)
        }
      }
    } catch (error) {
      this.finish('failed', error instanceof Error ? error.message : 'The AI failed.')
    }
  }

  private complete(stopReason: string): void {
    this.status = 'idle'
    this.finished = JSON.stringify({ text: this.chunks.join(''), durationMs: 1, stopReason })
    this.emit('turn_completed', JSON.parse(this.finished))
  }

  private greeting(): string {
    if (this.status === 'pending_approval') return ''
    const ready = this.status === 'idle' ? this.frame('ready', null) : ''
    return this.frame('webmcp_ready', this.tokens) + ready
  }

  private missed(lastEventId: string | null): string {
    const { switches } = this.context
    if (switches.ids && lastEventId !== null) {
      return this.sent
        .filter(({ id }) => id > Number(lastEventId))
        .map(({ text }) => text)
        .join('')
    }
    const idle = this.status === 'idle'
    const chunks = this.sent.filter(({ text }) => text.includes('event: chunk\n')).slice(-this.chunks.length)
    const replay = (idle && !switches.replayLastTurn) || this.chunks.length === 0 ? [] : chunks
    const completion = idle && switches.replayCompletion && this.finished !== undefined
    return (
      replay.map(({ text }) => text).join('') +
      (completion ? (this.sent.findLast(({ text }) => text.includes('event: turn_completed'))?.text ?? '') : '')
    )
  }

  private frame(event: string, data: unknown, id?: number): string {
    const { ids, extras } = this.context.switches
    const odd = extras ? `: a comment\nevent: moon_phase\ndata: {"phase":"full"}\n\n` : ''
    const rich = extras && typeof data === 'object' && data !== null ? { ...data, moonPhase: 'full' } : data
    const idLine = ids && id !== undefined ? `id: ${id}\n` : ''
    return `${odd}${idLine}event: ${event}\ndata: ${JSON.stringify(rich)}\n\n`
  }
}
