/**
 * A conversation with the browser's own model. The browser keeps what was said; tools run in the page, whether the browser
 * calls them itself (`execute`) or hands the calls over.
 */
import { asText, isFields } from '../engine/unknown-value.js'
import { promptText, transcript } from '../message/message-content.js'
import type { Message } from '../message/message.js'
import {
  type LanguageModelApi,
  modelError,
  type ModelContent,
  type ModelMessage,
  type ModelOptions,
} from './language-model.js'
import { outcomeText } from './outcome-text.js'
import type { ProviderSession, SessionOptions, TurnContext } from './provider.js'

/** @throws LeuriaError `too_long`, `not_allowed`, `browser_failed` */
export async function openBrowserSession(
  api: LanguageModelApi,
  base: ModelOptions,
  { system, tools, schema, history, maxSteps }: SessionOptions,
): Promise<ProviderSession> {
  let turn: TurnContext | undefined
  let closed = false

  const call = async (name: string, args: unknown): Promise<string> =>
    turn ? outcomeText(await turn.runTool({ name, args })) : 'The turn is over.'

  const offered = tools.map(({ name, description, inputSchema = { type: 'object', properties: {} } }) => {
    return { name, description, inputSchema, execute: (args: unknown) => call(name, args) }
  })
  const initialPrompts = [...(system ? [{ role: 'system' as const, content: system }] : []), ...pastOf(history)]
  const options = { ...base, ...(offered.length > 0 && { tools: offered }), initialPrompts }
  const model = await api.create(options).catch((error: unknown) => {
    throw modelError(error)
  })
  // Browsers without `append` are old enough to stream the whole text again and again.
  const isOld = model.append === undefined

  /** One answer: reports it, and returns the calls that the browser leaves to the page. */
  const answer = async (input: string | ModelMessage[], context: TurnContext, hear: Hear): Promise<ModelContent[]> => {
    const calls: ModelContent[] = []
    let said = ''
    const take = (piece: unknown): void => {
      if (Array.isArray(piece)) {
        piece.forEach(take)
        return
      }
      const { type, value } = isFields(piece) ? piece : { type: 'text', value: piece }
      const text = asText(value)
      if (type === 'tool-call') calls.push({ type, value })
      if (type === 'thought' && text) context.reasoning(text)
      if (type !== 'text' || !text) return
      const delta = isOld && text.startsWith(said) ? text.slice(said.length) : text
      said += delta
      if (delta) hear(delta)
    }
    const { signal } = context
    for await (const piece of model.promptStreaming(input, { signal, responseConstraint: schema })) take(piece)
    return calls
  }

  const respond = async ({ value }: ModelContent): Promise<ModelContent> => {
    const { callId, arguments: args = {}, ...about } = value as { callId: unknown; name: string; arguments?: unknown }
    const name = about.name
    return toolResponse({ callId, name }, await call(name, args))
  }

  const converse = async (text: string, context: TurnContext, hear: Hear): Promise<void> => {
    let input: string | ModelMessage[] = text
    for (let step = 0; step <= maxSteps; step += 1) {
      const calls = await answer(input, context, hear)
      if (calls.length === 0 || context.signal.aborted) return
      const content: ModelContent[] = []
      for (const each of calls) content.push(await respond(each))
      input = [{ role: 'user', content }]
    }
  }

  const close = (): void => {
    closed = true
    model.destroy()
  }

  return {
    send: async (message, context) => {
      const asked = promptText(message)
      let text = ''
      turn = context
      try {
        await converse(asked, context, (delta) => {
          text += delta
          context.text(delta)
        })
      } catch (error) {
        if (!context.signal.aborted) {
          const failure = modelError(error)
          if (failure.code !== 'too_long') close()
          throw failure
        }
        // The browser forgets a stopped exchange; the conversation doesn't.
        model.append?.([user(asked), { role: 'assistant', content: text }]).catch(() => undefined)
      } finally {
        turn = undefined
      }
      return { text }
    },
    // The model is in memory as soon as there is a session.
    warm: () => Promise.resolve(),
    close,
    get closed() {
      return closed
    },
  }
}

/** A tool's result, as a model takes it that leaves running tools to the page. */
function toolResponse(call: { callId: unknown; name: string }, text: string): ModelContent {
  const globals = globalThis as { LanguageModelToolSuccess?: new (init: object) => object }
  const Success = globals.LanguageModelToolSuccess ?? Object
  return { type: 'tool-response', value: new Success({ ...call, result: [{ type: 'text', value: text }] }) }
}

type Hear = (delta: string) => void

function user(content: string): ModelMessage {
  return { role: 'user', content }
}

/** Tool calls are told in words: a model may be without them. */
function pastOf(history: readonly Message[]): ModelMessage[] {
  return history.map((message) => {
    if (message.role === 'user') return user(promptText(message))
    return { role: 'assistant', content: transcript([message]).replace('Assistant: ', '') }
  })
}
