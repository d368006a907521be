/**
 * Talks to a browser that this program started, over two pipes that nobody else has (Chromium's `--remote-debugging-pipe`):
 * JSON messages with a zero byte behind each. Knows no commands.
 */
import type { Readable, Writable } from 'node:stream'
import * as z from 'zod/mini'

/** A browser answers in milliseconds, on a busy computer in seconds. */
const ANSWER_LIMIT_MS = 20_000
/** Far above any message that is asked for here. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

const message = z.looseObject({
  id: z.optional(z.int()),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ message: z.string() })),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  sessionId: z.optional(z.string()),
})

export interface DevtoolsEvent {
  method: string
  params: unknown
  sessionId: string | undefined
}

interface Waiting {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  limit: NodeJS.Timeout
}

export class DevtoolsPipe {
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Set<(event: DevtoolsEvent) => void>()
  #lastId = 0
  #held: Buffer[] = []
  #heldBytes = 0
  #closed = false

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.on('data', (piece: Buffer) => {
      this.#read(piece)
    })
    const close = (): void => {
      this.close()
    }
    output.on('error', close).on('close', close)
    input.on('error', close)
  }

  /** @throws when the browser says no, doesn't answer, or is gone */
  send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('The window is gone.'))
    const id = (this.#lastId += 1)
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.delete(id)
        reject(new Error(`The browser did not answer ${method}.`))
      }, ANSWER_LIMIT_MS)
      this.#waiting.set(id, { resolve, reject, limit })
      this.input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
    })
  }

  subscribe(listener: (event: DevtoolsEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Rejects everything that waits. The browser ends when its pipes do. Idempotent. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const { reject, limit } of this.#waiting.values()) {
      clearTimeout(limit)
      reject(new Error('The window is gone.'))
    }
    this.#waiting.clear()
    this.#listeners.clear()
    this.input.destroy()
  }

  #read(piece: Buffer): void {
    let from = 0
    for (let end = piece.indexOf(0); end !== -1; end = piece.indexOf(0, from)) {
      const text = Buffer.concat([...this.#held, piece.subarray(from, end)]).toString('utf8')
      this.#held = []
      this.#heldBytes = 0
      from = end + 1
      this.#take(text)
    }
    this.#held.push(piece.subarray(from))
    this.#heldBytes += piece.length - from
    if (this.#heldBytes > MAX_MESSAGE_BYTES) this.close()
  }

  #take(text: string): void {
    const read = message.safeParse(JSON.parse(text))
    if (!read.success) return
    const { id, result, error, method, params, sessionId } = read.data
    if (id === undefined) {
      if (method !== undefined) for (const listener of [...this.#listeners]) listener({ method, params, sessionId })
      return
    }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.limit)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error(error.message))
  }
}
