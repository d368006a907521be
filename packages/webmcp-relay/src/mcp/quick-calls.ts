/**
 * The short way for requests of the 2025 era: operations answered without the SDK's machinery, which costs more than
 * the call itself. Negotiation, sessions, streams and everything unusual stay with the SDK.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallSignal, PageTools } from '@leuria/agent'
import type { RelayContext } from '../relay-context.js'
import { CallEnd } from './call-end.js'
import { LateAnswer, sendJson } from './late-answer.js'
import { McpFault, RPC } from './mcp-fault.js'
import { isOperation, type Operation, type OperationName, OPERATIONS, SLOW_OPERATIONS } from './operations.js'
import { errorText, progressText, progressTokenOf, resultText, type RpcId, type RpcMessage } from './rpc-message.js'

/** An HTTP request and the response to it. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

export interface QuickRequest extends RpcMessage {
  id: RpcId
  /** The MCP session it belongs to, `''` without one: ids are unique within it. */
  session: string
}

export class QuickCalls {
  readonly #context: RelayContext
  readonly #tools: PageTools
  readonly #running = new Map<string, CallEnd>()

  constructor(context: RelayContext, tools: PageTools) {
    this.#context = context
    this.#tools = tools
  }

  get running(): number {
    return this.#running.size
  }

  /** `notifications/cancelled`. False: no call of this way has that id. */
  cancel(session: string, requestId: unknown): boolean {
    const end = this.#running.get(keyOf(session, requestId))
    end?.abort()
    return end !== undefined
  }

  async answer({ request, response }: Exchange, message: QuickRequest): Promise<void> {
    const { id, method } = message
    if (!isOperation(method)) {
      const message = `Method not found: ${method.slice(0, 100)}`
      sendJson(response, errorText(id, { code: RPC.methodNotFound, message }))
      return
    }
    if (!SLOW_OPERATIONS.has(method)) {
      sendJson(response, await this.#run(message, method))
      return
    }
    const progressToken = progressTokenOf(message)
    const answer = new LateAnswer(request, response, {
      clock: this.#context.clock,
      keepAliveMs: this.#context.limits.keepAliveMs,
      progress: progressToken === undefined ? undefined : (waitedMs) => progressText(progressToken, waitedMs),
    })
    await this.#wait({ message, method, response, answer })
  }

  async #wait({ message, method, response, answer }: Waiting): Promise<void> {
    const end = new CallEnd()
    const key = keyOf(message.session, message.id)
    // The same id twice at once is a client's mistake; the first one can be cancelled by it.
    const owned = !this.#running.has(key)
    if (owned) this.#running.set(key, end)
    // Nobody could be told the answer any more: there is no resuming here.
    const onClose = (): void => {
      end.abort()
    }
    response.on('close', onClose)
    if (response.destroyed) onClose()
    const text = await this.#run(message, method, end)
    response.off('close', onClose)
    if (owned) this.#running.delete(key)
    if (end.aborted) answer.abandon(text)
    else answer.end(text)
  }

  async #run({ id, params }: QuickRequest, method: OperationName, signal?: CallSignal): Promise<string> {
    try {
      const operation: Operation = OPERATIONS[method]
      return resultText(id, await operation(this.#tools, params, signal))
    } catch (error) {
      if (error instanceof McpFault)
        return errorText(id, { code: error.code, message: error.message, data: error.data })
      this.#context.log(
        `MCP ${method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
      return errorText(id, { code: RPC.internalError, message: 'The engine could not answer this request.' })
    }
  }
}

interface Waiting {
  message: QuickRequest
  method: OperationName
  response: ServerResponse
  answer: LateAnswer
}

function keyOf(session: string, id: unknown): string {
  return `${session} ${typeof id} ${String(id)}`
}
