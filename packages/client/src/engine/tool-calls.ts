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

export interface ToolCalls {
  /** A call came in. One that is running goes on; one that is done is answered again. */
  take(call: CallRequest): void
  /** Nobody waits for this call any more. */
  cancel(id: string): void
  /** A socket is open again: sends what waits. */
  flush(): void
  /** The session is over. */
  end(): void
}

export function createToolCalls({ tools, clock, send }: ToolCallsOptions): ToolCalls {
  const running = new Map<string, AbortController>()
  const answers = new Map<string, KeptAnswer>()

  const answer = async (call: CallRequest, { signal }: AbortController): Promise<Answer> => {
    const head = { type: 'toolResponse', id: call.id } as const
    const tool = tools.find(({ name }) => name === call.tool)
    if (!tool) return { ...head, error: `This page has no tool named "${call.tool}".` }
    try {
      const result = await Promise.race([
        tool.execute(call.arguments, { callId: call.id, signal }),
        rejectOnAbort(signal),
      ])
      return checkJson({ ...head, result: result ?? null })
    } catch (error) {
      return { ...head, error: wordsOf(error) }
    }
  }

  const run = async (call: CallRequest): Promise<void> => {
    const controller = new AbortController()
    running.set(call.id, controller)
    const cancelTimer = clock.setTimer(CALL_LIMIT_MS, () => {
      controller.abort()
    })
    const done = await answer(call, controller)
    cancelTimer()
    running.delete(call.id)
    answers.set(call.id, { answer: done, sent: send(done) })
    // Drops what no engine asks for any more; what waits for a socket stays.
    for (const [id, { sent }] of answers) if (sent && answers.size > MAX_KEPT_ANSWERS) answers.delete(id)
  }

  return {
    take: (call) => {
      const done = answers.get(call.id)
      if (done) done.sent = send(done.answer)
      else if (!running.has(call.id)) void run(call)
    },
    cancel: (id) => {
      running.get(id)?.abort()
    },
    flush: () => {
      for (const kept of answers.values()) kept.sent ||= send(kept.answer)
    },
    end: () => {
      for (const controller of running.values()) controller.abort()
      answers.clear()
    },
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
