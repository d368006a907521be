/**
 * The calls of one session's tools: each is run once and answered once, whatever happens to the channel meanwhile.
 * Owns the answers until a socket takes them; sockets are the channel's.
 */
import type { Clock } from '@leuria/clock'
import { CALL_LIMIT_MS } from '@leuria/protocol/browser'
import type { PageTool } from './page-tool.js'

export interface CallRequest {
  id: string
  tool: string
  arguments: unknown
}

type Answer = { type: 'toolResponse'; id: string } & ({ result: unknown } | { error: string })

export interface ToolCallsOptions {
  tools: readonly PageTool[]
  clock: Clock
  /** False: no socket is open; the answer is kept. */
  send: (answer: object) => boolean
}

/** So many sent answers are kept for an engine that asks again because it never saw them; it does within seconds. */
const MAX_KEPT_ANSWERS = 16

interface KeptAnswer {
  answer: Answer
  sent: boolean
}

export class ToolCalls {
  readonly #tools: ReadonlyMap<string, PageTool>
  readonly #options: ToolCallsOptions
  readonly #running = new Map<string, AbortController>()
  readonly #answers = new Map<string, KeptAnswer>()

  constructor(options: ToolCallsOptions) {
    this.#options = options
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]))
  }

  /** A call came in. One that is running goes on; one that is done is answered again. */
  take(call: CallRequest): void {
    if (this.#running.has(call.id)) return
    const done = this.#answers.get(call.id)
    if (done === undefined) void this.#run(call)
    else done.sent = this.#options.send(done.answer)
  }

  /** Nobody waits for this call any more. */
  cancel(id: string): void {
    this.#running.get(id)?.abort()
  }

  /** A socket is open again: sends what waits. */
  flush(): void {
    for (const kept of this.#answers.values()) if (!kept.sent) kept.sent = this.#options.send(kept.answer)
  }

  /** The session is over. */
  end(): void {
    for (const controller of this.#running.values()) controller.abort()
    this.#answers.clear()
  }

  async #run(call: CallRequest): Promise<void> {
    const controller = new AbortController()
    this.#running.set(call.id, controller)
    const answer = await this.#answer(call, controller)
    this.#running.delete(call.id)
    this.#answers.set(call.id, { answer, sent: this.#options.send(answer) })
    this.#prune()
  }

  async #answer(call: CallRequest, controller: AbortController): Promise<Answer> {
    const { id } = call
    const tool = this.#tools.get(call.tool)
    if (tool === undefined) return { type: 'toolResponse', id, error: `This page has no tool named "${call.tool}".` }
    const { signal } = controller
    const cancelTimer = this.#options.clock.setTimer(CALL_LIMIT_MS, () => {
      controller.abort()
    })
    try {
      const result = await Promise.race([
        Promise.resolve(tool.execute(call.arguments, { callId: id, signal })),
        rejectOnAbort(signal),
      ])
      return checkJson({ type: 'toolResponse', id, result: result ?? null })
    } catch (error) {
      return { type: 'toolResponse', id, error: wordsOf(error) }
    } finally {
      cancelTimer()
    }
  }

  /** Drops what no engine asks for any more; what waits for a socket stays. */
  #prune(): void {
    for (const [id, { sent }] of this.#answers) {
      if (sent && this.#answers.size > MAX_KEPT_ANSWERS) this.#answers.delete(id)
    }
  }
}

/** A tool that doesn't heed its signal is left behind. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('The call was cancelled.'))
    })
  })
}

/** @throws where JSON can't say it (a cycle, a BigInt): the AI learns that instead of waiting */
function checkJson(answer: Answer): Answer {
  JSON.stringify(answer)
  return answer
}

/** What an AI is told of a failure. Empty words would count as success. */
function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  return words === '' ? 'The tool failed.' : words
}
