/**
 * MCP over stdio for agents that don't speak HTTP: each line from the agent is one POST to the engine, each message
 * of the answer one line back. Requests run side by side. A request that can't be answered gets -32603 with words.
 */
import type { Writable } from 'node:stream'
import { type Clock, pause, systemClock, withDeadline } from '@leuria/clock'
import { MAX_BODY_BYTES } from '@leuria/protocol/browser'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type BridgeMessage, envelopeHeaders, isObject, readBridgeMessage } from './bridge-message.js'
import { readLines } from './line-reader.js'

export interface StdioBridgeOptions {
  /** `http://127.0.0.1:<port>/webmcp/mcp` */
  url: string
  /** The agent's token. */
  token: string
  /** The agent's words, for example `process.stdin`. */
  input: AsyncIterable<Buffer | string>
  /** Answers, and nothing else; for example `process.stdout`. */
  output: Writable
  /** @default the system's */
  clock?: Clock
  /** How long answers may still come after the input has ended, in ms. @default 2_000 */
  graceMs?: number
}

/** First wait before the stream of notifications is opened again, in ms; doubles up to the second. */
const REOPEN_MS = { first: 500, most: 30_000 }

/** Serves until the input ends. Never rejects for what the engine does; rejects when the input fails. */
export async function runStdioBridge(options: StdioBridgeOptions): Promise<void> {
  const bridge = new StdioBridge(options)
  try {
    for await (const line of readLines(options.input, MAX_BODY_BYTES)) {
      if (line.ok) await bridge.take(line.text)
      else bridge.write(failure(null, -32600, 'This line is longer than the engine takes.'))
    }
  } finally {
    await bridge.close()
  }
}

interface Running {
  controller: AbortController
  /** The agent took the request back: no answer is due. */
  cancelled: boolean
}

class StdioBridge {
  readonly #options: StdioBridgeOptions
  readonly #clock: Clock
  readonly #running = new Map<string, Running>()
  readonly #posts = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  /** Headers of the 2025 era, once `initialize` was answered. */
  #session: Record<string, string> = {}

  constructor(options: StdioBridgeOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** Starts on a line. Resolves when the next one may be taken. */
  async take(text: string): Promise<void> {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      this.write(failure(null, -32700, 'This line is not JSON.'))
      return
    }
    const message = readBridgeMessage(value)
    const post = this.#take(message, text)
    this.#posts.add(post)
    void post.finally(() => this.#posts.delete(post))
    // What follows needs the session that this opens.
    if (message.method === 'initialize') await post
    if (this.#options.output.writableNeedDrain) await this.#drained()
  }

  write(message: unknown): void {
    if (!this.#options.output.destroyed) this.#options.output.write(`${JSON.stringify(message)}\n`)
  }

  /** Waits a little for answers, gives the rest up, ends the session. */
  async close(): Promise<void> {
    await withDeadline(this.#clock, this.#options.graceMs ?? 2_000, Promise.all(this.#posts)).catch(() => undefined)
    this.#stop.abort()
    for (const { controller } of this.#running.values()) controller.abort()
    await Promise.all(this.#posts)
    if (this.#session['mcp-session-id'] === undefined) return
    await this.#fetch({ method: 'DELETE', headers: this.#session, signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    )
  }

  async #take(message: BridgeMessage, text: string): Promise<void> {
    const running = { controller: new AbortController(), cancelled: false }
    const key = keyOf(message.id)
    if (message.method === 'notifications/cancelled' && this.#cancel(message)) return
    if (key !== '') this.#running.set(key, running)
    try {
      const answered = await this.#post(message, text, running)
      if (!answered && !running.cancelled) this.#fail(message, 'The engine ended its answer too early.')
    } catch (error) {
      if (!running.cancelled) this.#fail(message, this.#describe(error))
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
  }

  /** In the 2026 era hanging up is how HTTP takes a request back; before, the engine wants to be told. True: done. */
  #cancel({ params, revision }: BridgeMessage): boolean {
    const running = this.#running.get(keyOf(params.requestId))
    if (running === undefined) return false
    running.cancelled = true
    if (revision === undefined) return false
    running.controller.abort()
    return true
  }

  /** True: what had to be answered was. */
  async #post(message: BridgeMessage, text: string, { controller }: Running): Promise<boolean> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(message.revision === undefined ? this.#session : envelopeHeaders(message)),
    }
    const response = await this.#fetch({ method: 'POST', headers, body: text, signal: controller.signal })
    let answered = message.id === undefined
    let refusal = `The engine answered with status ${response.status}.`
    for await (const answer of readAnswers(response)) {
      const isAnswer = isObject(answer) && answer.id === message.id
      if (!response.ok && !isAnswer) {
        refusal = wordsOf(answer) ?? refusal
        continue
      }
      if (isAnswer) {
        answered = true
        if (message.method === 'initialize') this.#noteSession(response, answer)
      }
      this.write(answer)
    }
    if (!answered && !response.ok) throw new Error(refusal)
    return answered
  }

  #noteSession(response: Response, answer: Record<string, unknown>): void {
    const id = response.headers.get('mcp-session-id')
    const version = isObject(answer.result) ? answer.result.protocolVersion : undefined
    this.#session = {
      ...(id !== null && { 'mcp-session-id': id }),
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    }
    if (id !== null) void this.#listen()
  }

  /** The engine's own messages of the 2025 era (lists that changed) come on a stream of their own. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop
    let waitMs = REOPEN_MS.first
    while (!signal.aborted) {
      try {
        const headers = { accept: 'text/event-stream', ...this.#session }
        const response = await this.#fetch({ method: 'GET', headers, signal })
        // There is no such stream, or no such session any more.
        if (!response.ok) return
        waitMs = REOPEN_MS.first
        for await (const message of readAnswers(response)) this.write(message)
      } catch {
        // Cut off: try again.
      }
      await pause(this.#clock, waitMs, signal)
      waitMs = Math.min(waitMs * 2, REOPEN_MS.most)
    }
  }

  #fetch(init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const { url, token } = this.#options
    return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  }

  #fail({ id }: BridgeMessage, words: string): void {
    if (id !== undefined) this.write(failure(id, -32603, words))
  }

  #describe(error: unknown): string {
    if (this.#stop.signal.aborted) return 'The connection was closed.'
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return error instanceof TypeError
      ? `The engine can't be reached: ${reason instanceof Error ? reason.message : String(reason)}`
      : error instanceof Error
        ? error.message
        : String(error)
  }

  #drained(): Promise<void> {
    const { output } = this.#options
    return new Promise((resolve) => {
      const done = (): void => {
        output.off('drain', done).off('close', done)
        resolve()
      }
      output.on('drain', done).on('close', done)
    })
  }
}

/** Every JSON message of an answer: a body, or an event stream. */
async function* readAnswers(response: Response): AsyncGenerator<unknown> {
  const { body } = response
  if (body === null) return
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for await (const { data } of events) if (data !== '') yield JSON.parse(data)
    return
  }
  const text = await response.text()
  if (text.trim() !== '') yield parseAnswer(text, response)
}

/** Why the engine refuses, when it says so in JSON-RPC's way. */
function wordsOf(answer: unknown): string | undefined {
  const error = isObject(answer) ? answer.error : undefined
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined
}

/** A refusal may come from something that doesn't speak JSON. */
function parseAnswer(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The engine's answer (status ${response.status}) is not JSON.`)
  }
}

function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function keyOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? `${typeof id} ${id}` : ''
}
