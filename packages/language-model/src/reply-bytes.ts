/**
 * The bytes of a reply's body as they come, read when they are asked for.
 * Not the stream's own iterator: setting that up takes as long as reading a short answer, and it is made for each one.
 */
import type { IncomingMessage } from 'node:http'

export class ReplyBytes implements AsyncIterator<Uint8Array> {
  /** How the body ended; what was read before is given first. */
  #end: { error?: Error } | null = null
  #wake: () => void = () => undefined

  constructor(private readonly response: IncomingMessage) {
    response
      .on('readable', () => {
        this.#wake()
      })
      .on('end', () => {
        this.#finish({})
      })
      .on('error', (error) => {
        this.#finish({ error })
      })
      // After one of the others, or without any when the connection was given up.
      .on('close', () => {
        this.#finish({ error: new Error('The reply was given up.') })
      })
  }

  /** One at a time. Rejects when the body breaks off. */
  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk: unknown = this.response.destroyed ? null : this.response.read()
      if (chunk instanceof Uint8Array) return { done: false, value: chunk }
      if (this.#end?.error !== undefined) throw this.#end.error
      if (this.#end !== null) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #finish(end: { error?: Error }): void {
    this.#end ??= end
    this.#wake()
  }
}
