/** One turn with a provider's session, as a conversation would hold it: everything that was reported is kept. */
import type { FilePart, Message, MessagePart } from '../message/message.js'
import type { ToolOutcome } from '../tool/tool.js'
import type { ProviderSession, SessionOptions, TurnContext } from './provider.js'

export interface SeenCall {
  name: string
  args: unknown
  callId?: string
}

export interface Turn {
  readonly texts: string[]
  readonly thoughts: string[]
  readonly calls: SeenCall[]
  readonly done: Promise<{ text: string }>
  stop(): void
}

export type RunTool = (call: SeenCall) => ToolOutcome | Promise<ToolOutcome>

export interface TurnOptions {
  files?: readonly FilePart[]
  runTool?: RunTool
}

const succeed: RunTool = () => ({ ok: true, result: 'done' })

export function userMessage(text: string, files: readonly FilePart[] = []): Message {
  return { id: `m-${text}`, role: 'user', parts: [{ type: 'text', text }, ...files] }
}

export function assistantMessage(...parts: MessagePart[]): Message {
  return { id: 'a', role: 'assistant', parts }
}

/** A conversation without tools and past. */
export function sessionOptions(options: Partial<SessionOptions> = {}): SessionOptions {
  return { tools: [], history: [], maxSteps: 10, ...options }
}

export function startTurn(session: ProviderSession, text: string, options: TurnOptions = {}): Turn {
  const { files, runTool = succeed } = options
  const stop = new AbortController()
  const texts: string[] = []
  const thoughts: string[] = []
  const calls: SeenCall[] = []
  const context: TurnContext = {
    turnId: 't1',
    signal: stop.signal,
    text: (delta) => texts.push(delta),
    reasoning: (delta) => thoughts.push(delta),
    status: () => undefined,
    runTool: async (call) => {
      calls.push(call)
      return runTool(call)
    },
  }
  const done = session.send(userMessage(text, files), context)
  return {
    texts,
    thoughts,
    calls,
    done,
    stop: () => {
      stop.abort()
    },
  }
}
