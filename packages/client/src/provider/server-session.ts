/**
 * A conversation with a site's own AI. The page keeps what was said and runs the tools: a turn asks the server until it
 * answers without calls, at most `maxSteps + 1` times, and the last time calls are ruled out.
 */
import { orAbort } from '../engine/or-abort.js'
import type { Message } from '../message/message.js'
import { type RawCall, readArgs } from './answer-calls.js'
import { createAnswerReader } from './answer-reader.js'
import { askServer, type ServerAddress } from './ask-server.js'
import { outcomeText } from './outcome-text.js'
import type { ProviderSession, SessionOptions, TurnContext } from './provider.js'
import { unreadable } from './server-error.js'
import { ask, chatHistory, type ChatMessage, NO_RESULT, settle, wireCall, wireName } from './server-messages.js'

export interface ServerModel extends ServerAddress {
  model?: string
  images: boolean
}

export function openServerSession(server: ServerModel, options: SessionOptions): ProviderSession {
  const { tools, schema, history, maxSteps } = options
  const messages = chatHistory(options, server.images)
  const ids = new Set(
    history.flatMap(({ parts }) => parts.map((part) => (part.type === 'tool-call' ? part.callId : ''))),
  )
  const offered = tools.map(({ name, description, inputSchema }) => {
    const parameters = inputSchema ?? { type: 'object', properties: {} }
    return { type: 'function', function: { name: wireName(name), description, parameters } }
  })
  const nameOf = (name: string): string => tools.find((tool) => wireName(tool.name) === name)?.name ?? name

  /** An id that no call of this conversation has: several servers begin at 0 in each answer. */
  const claimId = (wanted: string): string => {
    let id = wanted
    // Nine letters and digits: the only form that every API takes.
    while (id === '' || ids.has(id)) id = `call${String(ids.size + 1).padStart(5, '0')}`
    ids.add(id)
    return id
  }

  const bodyOf = (isLast: boolean): object => ({
    model: server.model,
    messages,
    stream: true,
    ...(offered.length > 0 && { tools: offered, ...(isLast && { tool_choice: 'none' }) }),
    ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
  })

  const run = async (call: { id: string; name: string; args: string }, context: TurnContext) => {
    const { signal } = context
    const args = readArgs(call.args)
    if (args === null) return outcomeText({ ok: false, error: 'The arguments must be one JSON object.' })
    const work = signal.aborted ? null : context.runTool({ name: nameOf(call.name), args, callId: call.id })
    return work === null ? NO_RESULT : orAbort(work, signal).then(outcomeText, () => NO_RESULT)
  }

  /** The AI said this and wants these: carries them out. */
  const carryOut = async (said: string, raw: readonly RawCall[], context: TurnContext): Promise<void> => {
    const calls = raw.map((call) => ({ ...call, id: claimId(call.id) }))
    const tool_calls = calls.map((call) => wireCall({ ...call, args: readArgs(call.args) }))
    const results: ChatMessage[] = []
    for (const call of calls) results.push({ role: 'tool', tool_call_id: call.id, content: await run(call, context) })
    messages.push({ role: 'assistant', content: said || null, tool_calls }, ...results)
  }

  const turn = async (context: TurnContext, hear: (delta: string) => void): Promise<void> => {
    const { signal } = context
    for (let step = 0; !signal.aborted; step += 1) {
      let said = ''
      const text = (delta: string): void => {
        said += delta
        hear(delta)
      }
      const answer = createAnswerReader({
        text,
        reasoning: (delta) => {
          context.reasoning(delta)
        },
      })
      let calls: RawCall[] = []
      try {
        await askServer(server, bodyOf(step === maxSteps), { answer, signal })
        if (step < maxSteps) calls = answer.calls()
      } finally {
        if (calls.length === 0 && said !== '') messages.push({ role: 'assistant', content: said })
      }
      if (calls.length === 0) {
        if (said === '' && step === 0) throw unreadable('The answer is empty.')
        return
      }
      await carryOut(said, calls, context)
    }
  }

  return {
    send: async (message: Message, context) => {
      let text = ''
      ask(messages, message, server.images)
      try {
        await turn(context, (delta) => {
          text += delta
          context.text(delta)
        })
      } catch (error) {
        if (!context.signal.aborted) throw error
      } finally {
        settle(messages)
      }
      return { text }
    },
    close: () => undefined,
  }
}
