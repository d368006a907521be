/**
 * A program's pipes as the stream that the ACP SDK works on.
 * Not the SDK's own framing: that answers noise with errors, and ends the connection at a line over its limit.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Readable, Writable } from 'node:stream'
import { MessageLines, type RawMessage } from './message-lines.js'
import type { ReadGate } from './read-gate.js'

export interface MessageStreamOptions {
  stdin: Writable
  stdout: Readable
  gate: ReadGate
  maxMessageBytes: number
  noise: (line: string) => void
  /**
   * Parameters of each `session/update`, at once. They pass the SDK by: it would check every piece of an answer against
   * all of ACP's schemas, drop what is odd, and let the answer to a prompt overtake the last piece before it.
   */
  update: (params: unknown) => void
  /** The output has ended and all of it was handed on, or nobody wants the rest. */
  ended: () => void
}

export function createMessageStream(options: MessageStreamOptions): Stream {
  const { stdin, stdout, gate, maxMessageBytes, noise, update, ended } = options
  const lines = new MessageLines({ maxBytes: maxMessageBytes, noise })
  const bytes = bytesOf(stdout)
  /** Answers to anything else are noise: the SDK would print each on the engine's own stderr. */
  const asked = new Set<unknown>()
  const owed = new OwedAnswers()
  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      for (;;) {
        // An answer comes in thousands of pieces: none waits for a promise unless it has to.
        if (gate.held) await gate.passed()
        if (owed.many) await owed.fewEnough()
        const message = lines.next() ?? (await nextMessage(bytes, lines))
        if (message === null) {
          controller.close()
          ended()
          return
        }
        if (message.method === 'session/update' && !('id' in message)) update(message.params)
        else if (!('method' in message) && !asked.delete(message.id)) noise('An answer to no question was left out.')
        // The SDK's type for "some JSON-RPC message": it looks at each itself.
        else {
          if ('method' in message && 'id' in message) owed.add()
          controller.enqueue(message as AnyMessage)
          // It takes the SDK some steps to hand it on: what was written behind it must not overtake it.
          await new Promise((resolve) => setImmediate(resolve))
          return
        }
      }
    },
    async cancel() {
      stdout.destroy()
      ended()
    },
  })
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ('method' in message && 'id' in message) asked.add(message.id)
      try {
        await writeLine(stdin, JSON.stringify(message))
      } finally {
        if (!('method' in message)) owed.paid()
      }
    },
  })
  // A program that is gone is noticed by its end, not by the pipe.
  stdin.on('error', () => undefined)
  return { readable, writable }
}

/** Most questions of an agent that may wait for their answers to be taken. Honest agents have a few. */
const MAX_OWED = 200

/** An agent that asks and asks and reads no answer must not fill this process with answers. */
class OwedAnswers {
  #count = 0
  #wake: () => void = () => undefined

  add(): void {
    this.#count += 1
  }

  paid(): void {
    this.#count -= 1
    if (this.#count < MAX_OWED) this.#wake()
  }

  get many(): boolean {
    return this.#count >= MAX_OWED
  }

  fewEnough(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }
}

/** Reads until a message is complete. `null`: the output has ended. */
async function nextMessage(bytes: AsyncIterator<Buffer>, lines: MessageLines): Promise<RawMessage | null> {
  for (;;) {
    const next = await bytes.next()
    if (next.done === true) lines.end()
    else lines.push(next.value)
    const message = lines.next()
    if (message !== null || next.done === true) return message
  }
}

/** A stream that breaks has ended: why is told by the program's end. */
async function* bytesOf(stdout: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stdout) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
  } catch {
    return
  }
}

/** Waits until the line is taken: an agent that reads nothing must not fill this process. */
function writeLine(stdin: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stdin.destroyed || stdin.writableEnded) {
      reject(new Error('The program takes no more input.'))
      return
    }
    stdin.write(`${line}\n`, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
