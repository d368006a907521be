/** A chat request in the shape of OpenAI's chat completions, as far as every server understands it. */
import type { ChatMessage, ToolOffer, UserPart } from './chat-message.js'
import type { ChatRequest } from './chat-model.js'

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

export function openAiRequest(request: ChatRequest, model: string, habits: ServerHabits): Record<string, unknown> {
  const tools = habits.tools ? request.tools : []
  return {
    model,
    messages: request.messages.map((message) => wireMessage(message, habits)),
    stream: true,
    ...(habits.usage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
    ...(tools.length > 0 && request.toolChoice === 'none' && habits.toolChoice ? { tool_choice: 'none' } : {}),
  }
}

function wireTool({ name, description, inputSchema }: ToolOffer): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

function wireMessage(message: ChatMessage, habits: ServerHabits): Record<string, unknown> {
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
function userContent(parts: readonly UserPart[], habits: ServerHabits): unknown {
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
