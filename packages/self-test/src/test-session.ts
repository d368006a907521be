/** One session as a local program has it: prepares, reads the stream, prompts. Its page is a `TestPage`. */
import { type PrepareReply, prepareReply } from '@leuria/protocol'
import { createParser } from 'eventsource-parser'
import * as z from 'zod/mini'
import { TestPage, type TestTool } from './test-page.js'

export interface TestSessionOptions {
  /** The engine's base URL. */
  url: string
  tool: TestTool
  maxTurns: number
  onStatus: ((text: string) => void) | undefined
  signal: AbortSignal | undefined
}

/** How a turn ended. */
export type TurnResult = { ok: true; text: string } | { ok: false; problem: string }

const status = z.object({ text: z.string() })
const completed = z.object({ text: z.string() })

interface Heard {
  event: string
  data: unknown
}

/** `failed` says why; the other two ends are nobody's wish here. */
function endOf({ event, data }: Heard): string | null {
  if (event === 'failed') return typeof data === 'string' ? data : 'It failed.'
  return event === 'completed' || event === 'cancelled' ? 'It ended the conversation by itself.' : null
}

export class TestSession {
  readonly page: TestPage
  readonly #closing = new AbortController()
  readonly #heard: Heard[] = []
  #wake: () => void = () => undefined
  #session: PrepareReply | null = null

  constructor(private readonly options: TestSessionOptions) {
    this.page = new TestPage(options.tool)
    if (options.signal?.aborted === true) this.close()
    options.signal?.addEventListener('abort', this.#stop)
  }

  /** It was closed, by the test or by whoever stopped it. */
  get stopped(): boolean {
    return this.#closing.signal.aborted
  }

  /** Opens the session with the page's tool and waits for the AI. `null`: it is ready; else why not. */
  async start(): Promise<string | null> {
    const { url, maxTurns } = this.options
    const session = prepareReply.parse(await this.#post('/session/prepare', { maxTurns }))
    this.#session = session
    await this.page.connect(url.replace('http', 'ws'), session.registrationToken, this.#closing.signal)
    const stream = await fetch(`${url}/session/${session.sessionId}/stream`, { signal: this.#closing.signal })
    this.#follow(stream).catch(() => {
      this.close()
    })
    await this.#act('approve', {})
    const first = await this.#next((heard) => heard.event === 'ready' || endOf(heard) !== null)
    return endOf(first)
  }

  /** Runs one turn. */
  async ask(prompt: string): Promise<TurnResult> {
    await this.#act('prompt', { prompt })
    const last = await this.#next((heard) => heard.event === 'turn_completed' || endOf(heard) !== null)
    const problem = endOf(last)
    return problem === null ? { ok: true, text: completed.parse(last.data).text } : { ok: false, problem }
  }

  /** Ends everything at once. Idempotent. */
  close(): void {
    this.options.signal?.removeEventListener('abort', this.#stop)
    this.#closing.abort()
    this.#wake()
  }

  readonly #stop = (): void => {
    this.close()
  }

  #act(action: string, body: object): Promise<unknown> {
    return this.#post(`/session/${this.#session?.sessionId ?? ''}/${action}`, body)
  }

  async #post(path: string, body: object): Promise<unknown> {
    const answer = await fetch(this.options.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: this.#closing.signal,
    })
    const json: unknown = await answer.json()
    if (!answer.ok) throw new Error(`The engine answered ${path} with ${answer.status}: ${JSON.stringify(json)}`)
    return json
  }

  async #follow(stream: Response): Promise<void> {
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => {
        this.#hear({ event, data: JSON.parse(data) })
      },
    })
    const decoder = new TextDecoder()
    const body: AsyncIterable<Uint8Array> | null = stream.body
    if (body === null) return
    for await (const piece of body) parser.feed(decoder.decode(piece, { stream: true }))
  }

  #hear(heard: Heard): void {
    if (heard.event === 'status') this.options.onStatus?.(status.parse(heard.data).text)
    this.#heard.push(heard)
    this.#wake()
  }

  /** Takes events as they come up to the first that fits. Rejects once the session is closed. */
  async #next(fits: (heard: Heard) => boolean): Promise<Heard> {
    for (;;) {
      const heard = this.#heard.shift()
      if (heard !== undefined && fits(heard)) return heard
      if (heard !== undefined) continue
      if (this.stopped) throw new Error('The session was closed.')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
