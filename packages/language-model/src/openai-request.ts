/** Chat requests in the shape of OpenAI's chat completions, as far as every server understands it. */
import type { ChatMessage, ToolOffer, UserPart } from './chat-message.js'
import type { ChatRequest } from './chat-model.js'
import { Growing } from './growing.js'

/** What a server turned out not to take. Each is left out once it has complained. */
export interface ServerHabits {
  /** `stream_options`, which asks for usage. */
  usage: boolean
  tools: boolean
  toolChoice: boolean
  images: boolean
}

/** What stands in for an image that the model can't see (Sessions, Attachments). */
export function imageNote(part: { mimeType: string; name?: string }): string {
  const name = part.name === undefined ? '' : ` ${JSON.stringify(part.name)}`
  return `[Image${name} (${part.mimeType}) left out: this AI can't see images.]`
}

/** A longer conversation is turned into JSON each time: kept JSON doubles what it takes, and images are large. */
const MAX_KEPT_CHARS = 1024 * 1024

/** Writes the requests of one model. What a conversation has said becomes JSON once, not again with each question. */
export class OpenAiRequests {
  readonly #messages = new Growing<ChatMessage, string>('', (all, message) => {
    const json = JSON.stringify(wireMessage(message, this.habits))
    return all === '' ? json : `${all},${json}`
  })

  constructor(
    private readonly model: string,
    private readonly habits: Readonly<ServerHabits>,
  ) {}

  /** The body of a request. */
  write(request: ChatRequest): string {
    const { habits, model } = this
    const tools = habits.tools ? request.tools : []
    const rest = JSON.stringify({
      model,
      stream: true,
      ...(habits.usage ? { stream_options: { include_usage: true } } : {}),
      ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
      ...(tools.length > 0 && request.toolChoice === 'none' && habits.toolChoice ? { tool_choice: 'none' } : {}),
    })
    const messages = this.#messages.of(request.messages)
    if (messages.length > MAX_KEPT_CHARS) this.forget()
    return `${rest.slice(0, -1)},"messages":[${messages}]}`
  }

  /** The habits have changed: what was written may read otherwise. */
  forget(): void {
    this.#messages.forget()
  }
}

function wireTool({ name, description, inputSchema }: ToolOffer): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

function wireMessage(message: ChatMessage, habits: Readonly<ServerHabits>): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return { role: 'user', content: userContent(message.parts, habits) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text === '' ? null : message.text,
        ...(message.calls.length === 0 ? {} : { tool_calls: message.calls.map(wireCall) }),
      }
  }
}

function wireCall(call: { id: string; name: string; arguments: string }): Record<string, unknown> {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

/** A plain string where there is only text: not every server takes a list of parts. */
function userContent(parts: readonly UserPart[], habits: Readonly<ServerHabits>): unknown {
  const seen = parts.map((part) =>
    part.type === 'image' && !habits.images ? { type: 'text' as const, text: imageNote(part) } : part,
  )
  if (seen.every((part) => part.type === 'text')) return seen.map(({ text }) => text).join('\n\n')
  return seen.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  )
}
