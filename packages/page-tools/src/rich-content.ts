/** The additive `content` field of a `toolResponse`: MCP content blocks, checked one by one. */
import type { JsonObject, ToolContent } from '@leuria/agent'
import { isBase64 } from '@leuria/protocol'
import { isJsonObject } from './plain-object.js'

/** Blocks of one answer; more are a mistake. */
const MAX_BLOCKS = 64

export type ContentReading = { ok: true; content: readonly ToolContent[] } | { ok: false; error: string }

/** Reads a page's `content`. An error names the first block that is wrong. */
export function readContent(value: unknown): ContentReading {
  if (!Array.isArray(value)) return { ok: false, error: 'content must be a list' }
  if (value.length > MAX_BLOCKS) return { ok: false, error: `content has more than ${MAX_BLOCKS} blocks` }
  const content: ToolContent[] = []
  for (const [at, each] of value.entries()) {
    const block = readBlock(each)
    if (block === null)
      return { ok: false, error: `content[${at}] is not a text, image, resource or resource_link block` }
    content.push(block)
  }
  return { ok: true, content }
}

function readBlock(value: unknown): ToolContent | null {
  if (!isJsonObject(value)) return null
  const { type, text, data, mimeType, resource, uri, name } = value
  if (type === 'text') return typeof text === 'string' ? { type, text } : null
  if (type === 'image')
    return typeof data === 'string' && isBase64(data) && typeof mimeType === 'string' && mimeType.startsWith('image/')
      ? { type, data, mimeType }
      : null
  if (type === 'resource') {
    const contents = isJsonObject(resource) ? readResourceContents(resource) : null
    return contents === null ? null : { type, resource: contents }
  }
  if (type === 'resource_link') return typeof uri === 'string' && typeof name === 'string' ? { type, uri, name } : null
  return null
}

/** `uri`, and either `text` or base64 `blob` (MCP, Resources). */
function readResourceContents({ uri, mimeType, text, blob }: JsonObject): JsonObject | null {
  if (typeof uri !== 'string' || (mimeType !== undefined && typeof mimeType !== 'string')) return null
  const head = { uri, ...(mimeType !== undefined && { mimeType }) }
  if (typeof text === 'string') return { ...head, text }
  return typeof blob === 'string' && isBase64(blob) ? { ...head, blob } : null
}
