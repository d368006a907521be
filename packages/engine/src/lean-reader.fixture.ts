/** A reader of an event stream that keeps nothing but counts: thousands of events a second, for as long as a test likes. */
import { type ClientRequest, request } from 'node:http'
import type { TurnCompletedData } from '@leuria/protocol'

export interface LeanReaderOptions {
  port: number
  sessionId: string
  origin: string
  token: string
  /** A turn has ended. */
  onTurnEnd: () => void
}

export class LeanReader {
  events = 0
  turns = 0
  characters = 0
  /** What must not happen, in words; the first few. */
  readonly faults: string[] = []
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>
  #rest = ''
  #text = ''
  #resolve: () => void = () => undefined
  readonly #request: ClientRequest

  constructor(private readonly options: LeanReaderOptions) {
    const { port, sessionId, origin, token } = options
    this.ended = new Promise((resolve) => (this.#resolve = resolve))
    const headers = { origin, authorization: `Bearer ${token}` }
    const target = { host: '127.0.0.1', port, path: `/session/${sessionId}/stream`, agent: false, headers }
    this.#request = request(target, (answer) => {
      const decoder = new TextDecoder()
      answer.on('data', (piece: Buffer) => {
        this.#take(decoder.decode(piece, { stream: true }))
      })
      answer.on('error', () => undefined)
      answer.on('close', () => {
        this.#resolve()
      })
    })
    this.#request.on('error', (error) => {
      this.#fault(error.message)
    })
    this.#request.end()
  }

  cut(): void {
    this.#request.destroy()
  }

  #fault(words: string): void {
    if (this.faults.length < 5) this.faults.push(words)
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) this.#read(block)
  }

  #read(block: string): void {
    const [, name = '', json = 'null', id] = /^event: (\w+)\ndata: (.*?)(?:\nid: (\d+))?$/.exec(block) ?? []
    if (id === undefined) return
    this.events += 1
    if (Number(id) !== this.events) this.#fault(`id ${id} as event ${this.events}`)
    if (name === 'turn_start') this.#text = ''
    else if (name === 'chunk') this.#text += String(JSON.parse(json))
    else if (name === 'turn_completed') this.#endTurn(JSON.parse(json) as TurnCompletedData)
  }

  #endTurn({ text }: TurnCompletedData): void {
    if (text !== this.#text) this.#fault(`a turn of ${text.length} characters came as ${this.#text.length}`)
    this.turns += 1
    this.characters += text.length
    this.#text = ''
    this.options.onTurnEnd()
  }
}
