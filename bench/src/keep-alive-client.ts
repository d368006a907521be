/** A thin client on kept connections: what it costs itself is the same for every variant. */
import { Agent, type IncomingMessage, request } from 'node:http'

export interface Call {
  port: number
  path: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

function readAnswer(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('error', reject)
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      if ((answer.statusCode ?? 0) < 300) resolve(text)
      else reject(new Error(`${answer.statusCode}: ${text}`))
    })
  })
}

export class KeepAliveClient {
  readonly #agent: Agent

  constructor(connections = 1) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /** The answer's text; rejects for anything but a success. */
  send({ port, path, method = 'GET', headers = {}, body }: Call): Promise<string> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: this.#agent }, (answer) => {
        readAnswer(answer).then(resolve, reject)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** Sends the same call one at a time; how long each took, in µs. */
  async time(call: Call, count: number): Promise<number[]> {
    const tookUs: number[] = []
    for (let sent = 0; sent < count; sent += 1) {
      const before = performance.now()
      await this.send(call)
      tookUs.push((performance.now() - before) * 1_000)
    }
    return tookUs
  }

  close(): void {
    this.#agent.destroy()
  }
}
