/**
 * A conversation with a site's own AI. The page keeps what was said and runs the tools: a turn asks the server until it
 * answers without calls, at most `maxSteps + 1` times, and the last time calls are ruled out.
 */
import { orAbort } from '../engine/or-abort.js'
import { type RawCall, readArgs } from './answer-calls.js'
import { createAnswerReader } from './answer-reader.js'
import { askServer, type ServerAddress } from './ask-server.js'
import { outcomeText } from './outcome-text.js'
import type { ProviderSession, SessionOptions, TurnContext } from './provider.js'
import { unreadable } from './server-error.js'
import {
  ask,
  chatHistory,
  type ChatMessage,
  giveTurnTo,
  NO_RESULT,
  type WireCall,
  wireCall,
  wireName,
} from './server-messages.js'

export interface ServerModel extends ServerAddress {
  model?: string
  images: boolean
}

export function openServerSession(server: ServerModel, options: SessionOptions): ProviderSession {
  const { tools, schema, maxSteps } = options
  const { model, images } = server
  const messages = chatHistory(options, images)
  let count = 0
  const offered = tools.map(({ name, description, inputSchema: parameters = { type: 'object', properties: {} } }) => {
    return { type: 'function', function: { name: wireName(name), description, parameters } }
  })

  const run = async (call: RawCall, args: object | null, context: TurnContext): Promise<string> => {
    const { signal } = context
    if (!args) return 'The arguments must be one JSON object.'
    if (signal.aborted) return NO_RESULT
    const name = tools.find((tool) => wireName(tool.name) === call.name)?.name ?? call.name
    return orAbort(context.runTool({ name, args, callId: call.id }), signal).then(outcomeText, () => NO_RESULT)
  }

  /** One request and what follows from it. True: the AI wants to go on. */
  const step = async (isLast: boolean, context: TurnContext, hear: (delta: string) => void): Promise<boolean> => {
    const { signal } = context
    let content = ''
    const reader = createAnswerReader(
      (delta) => {
        content += delta
        if (delta) hear(delta)
      },
      (delta) => {
        if (delta) context.reasoning(delta)
      },
    )
    const body = {
      model,
      messages,
      stream: true,
      ...(offered.length > 0 && { tools: offered, ...(isLast && { tool_choice: 'none' }) }),
      ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
    }
    const tool_calls: WireCall[] = []
    const results: ChatMessage[] = []
    try {
      await askServer(server, body, { answer: reader, signal })
      // After its longest (`length`) an answer's calls may be cut off.
      const calls = isLast || reader.finish === 'length' ? [] : reader.calls
      for (const call of calls) {
        // Nine letters and digits: the only form of an id that every API takes.
        call.id ||= `call${String((count += 1)).padStart(5, '0')}`
        const args = readArgs(call.args)
        tool_calls.push(wireCall(call.id, call.name, args))
        results.push({ role: 'tool', tool_call_id: call.id, content: await run(call, args, context) })
      }
    } finally {
      const isCalling = tool_calls.length > 0
      if (content || isCalling)
        messages.push({ role: 'assistant', content, ...(isCalling && { tool_calls }) }, ...results)
    }
    return results.length > 0 && !signal.aborted
  }

  return {
    send: async (message, context) => {
      let text = ''
      ask(messages, message, images)
      const before = messages.length
      const hear = (delta: string): void => {
        text += delta
        context.text(delta)
      }
      try {
        let at = 0
        while (await step(at === maxSteps, context, hear)) at += 1
        if (messages.length === before) throw unreadable('The answer is empty.')
      } catch (error) {
        if (!context.signal.aborted) throw error
      } finally {
        giveTurnTo('user', messages)
      }
      return { text }
    },
    close: () => undefined,
  }
}
