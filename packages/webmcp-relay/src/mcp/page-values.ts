/** What a page answered for a resource or a prompt → what MCP clients insist on. Anything at all becomes something. */
import type { JsonObject, PageResource } from '@leuria/agent'

export interface ResourceContents {
  uri: string
  mimeType: string
  text?: string
  blob?: string
}

/**
 * A string, `{ content, mimeType }` as pages in the field send it, or MCP's `{ contents: [{ text | blob }] }`;
 * any other value becomes JSON text.
 */
export function resourceContents(resource: PageResource, value: unknown): ResourceContents[] {
  if (isObject(value) && Array.isArray(value.contents) && value.contents.length > 0) {
    const list = value.contents.map((each: unknown) => readContents(resource, each))
    if (list.every((each) => each !== null)) return list
  }
  const single = readContents(resource, typeof value === 'string' ? { text: value } : value)
  return [single ?? { uri: resource.uri, mimeType: 'application/json', text: jsonText(value) }]
}

function readContents(resource: PageResource, value: unknown): ResourceContents | null {
  if (!isObject(value)) return null
  const uri = typeof value.uri === 'string' ? value.uri : resource.uri
  const mimeType = typeof value.mimeType === 'string' ? value.mimeType : (resource.mimeType ?? 'text/plain')
  const text = value.text ?? value.content
  if (typeof text === 'string') return { uri, mimeType, text }
  return typeof value.blob === 'string' ? { uri, mimeType, blob: value.blob } : null
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: { type: 'text'; text: string }
}

/** MCP's `{ description?, messages }` with texts, a string, or any value as JSON text of the user. */
export function promptResult(value: unknown): { description?: string; messages: PromptMessage[] } {
  if (isObject(value) && Array.isArray(value.messages)) {
    const description = typeof value.description === 'string' ? { description: value.description } : {}
    return { ...description, messages: value.messages.map(readMessage) }
  }
  return {
    messages: [{ role: 'user', content: { type: 'text', text: typeof value === 'string' ? value : jsonText(value) } }],
  }
}

function readMessage(value: unknown): PromptMessage {
  const role = isObject(value) && value.role === 'assistant' ? 'assistant' : 'user'
  const content: unknown = isObject(value) ? value.content : value
  const text: unknown = isObject(content) && content.type === 'text' ? content.text : content
  return { role, content: { type: 'text', text: typeof text === 'string' ? text : jsonText(content) } }
}

function jsonText(value: unknown): string {
  return JSON.stringify(value === undefined ? null : value)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
