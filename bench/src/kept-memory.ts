/**
 * What a process keeps: its heap and its buffers right after a collection, asked of V8's own inspector. Resident memory
 * says something else: how far V8 let garbage pile up, and that by steps of megabytes.
 */
import { WebSocket } from 'ws'
import * as z from 'zod/mini'

const reply = z.object({ id: z.optional(z.number()), result: z.optional(z.looseObject({})) })
const evaluated = z.object({ result: z.object({ value: z.number() }) })

/** One more collection takes what the first one's finalizers let go. */
const COLLECTIONS = 2
const EXPRESSION = 'process.memoryUsage().heapUsed + process.memoryUsage().external'

class Inspector {
  readonly #socket: WebSocket
  #id = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  ask(method: string, params: object = {}): Promise<unknown> {
    this.#id += 1
    const id = this.#id
    return new Promise((resolve) => {
      const read = (data: WebSocket.RawData): void => {
        if (!Buffer.isBuffer(data)) return
        const message = z.parse(reply, JSON.parse(data.toString()))
        if (message.id !== id) return
        this.#socket.off('message', read)
        resolve(message.result)
      }
      this.#socket.on('message', read)
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

/** In KB. `url`: what Node prints when it is started with `--inspect`. */
export async function keptKb(url: string): Promise<number> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const inspector = new Inspector(socket)
  for (let done = 0; done < COLLECTIONS; done += 1) await inspector.ask('HeapProfiler.collectGarbage')
  const { result } = z.parse(evaluated, await inspector.ask('Runtime.evaluate', { expression: EXPRESSION }))
  socket.close()
  return result.value / 1_024
}
