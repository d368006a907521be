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

/** What an AI did in a turn besides talking. */
export interface TurnSeen {
  /** Tools it was allowed to use, by name. */
  allowed: string[]
  /** Tools that ran, by name; by title where it gave no name. */
  completed: string[]
  /** Its thoughts, one text. */
  thoughts: string
}

/** How a turn ended. */
export type TurnResult = { ok: true; text: string; seen: TurnSeen } | { ok: false; problem: string; seen: TurnSeen }

const status = z.object({ text: z.string() })
const completed = z.object({ text: z.string() })
const permission = z.object({ toolName: z.string(), allow: z.boolean() })
const toolCall = z.object({
  toolCallId: z.string(),
  title: z.optional(z.string()),
  status: z.optional(z.string()),
  toolName: z.optional(z.string()),
})

interface Heard {
  event: string
  data: unknown
}

/** `failed` says why; the other two ends are nobody's wish here. */
function endOf({ event, data }: Heard): string | null {
  if (event === 'failed') return typeof data === 'string' ? data : 'It failed.'
  return event === 'completed' || event === 'cancelled' ? 'It ended the conversation by itself.' : null
}

/** Adds what an event says of tools and thoughts. */
function note(seen: TurnSeen, { event, data }: Heard): void {
  if (event === 'thought') seen.thoughts += z.string().parse(data)
  if (event === 'permission') {
    const { toolName, allow } = permission.parse(data)
    if (allow) seen.allowed.push(toolName)
  }
  if (event !== 'tool_call') return
  const { status: state, toolName, title } = toolCall.parse(data)
  if (state === 'completed') seen.completed.push(toolName ?? title ?? 'a tool without a name')
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
    const seen: TurnSeen = { allowed: [], completed: [], thoughts: '' }
    const last = await this.#next((heard) => {
      note(seen, heard)
      return heard.event === 'turn_completed' || endOf(heard) !== null
    })
    const problem = endOf(last)
    return problem === null ? { ok: true, text: completed.parse(last.data).text, seen } : { ok: false, problem, seen }
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
