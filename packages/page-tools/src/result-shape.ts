/**
 * A page's answer → what the AI gets.
 * "A result that is a string reaches the AI as it is. Anything else reaches it as JSON text. An error reaches it as a
 * failed tool call." (Page tools). Images, resources and structured content only come from the additive `content`.
 */
import type { ToolContent, ToolOutcome } from '@leuria/agent'
import type { PageAnswer } from './page-link.js'
import { isJsonObject } from './plain-object.js'
import { readContent } from './rich-content.js'

export function shapeOutcome(answer: PageAnswer, maxResultLength: number): ToolOutcome {
  if (!answer.ok) return answer
  try {
    const { result, content } = answer
    const outcome = content === undefined ? plainOutcome(result) : richOutcome(result, content)
    return outcome.ok && lengthOf(outcome) > maxResultLength ? tooLarge(maxResultLength) : outcome
  } catch {
    // Only one thing that came as JSON can't become JSON text again: a value nested deeper than the stack.
    return { ok: false, code: 'page_error', error: "The page's answer is nested too deep to be read." }
  }
}

/** A result as text: `undefined` has no JSON text of its own and counts as `null`. */
export function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result === undefined ? null : result)
}

function plainOutcome(result: unknown): ToolOutcome {
  return { ok: true, text: textOf(result) }
}

function richOutcome(result: unknown, content: unknown): ToolOutcome {
  const reading = readContent(content)
  if (!reading.ok) {
    // Losing a good result for a bad decoration would help nobody.
    return result === undefined
      ? { ok: false, code: 'page_error', error: `The page's answer can't be read: ${reading.error}.` }
      : plainOutcome(result)
  }
  return {
    ok: true,
    text: result === undefined ? reading.content.map(textOfBlock).join('\n') : textOf(result),
    content: reading.content,
    ...(isJsonObject(result) && { structuredContent: result }),
  }
}

/** For AIs that only take text. */
function textOfBlock(block: ToolContent): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
      return `[image, ${block.mimeType}]`
    case 'resource':
      return typeof block.resource.text === 'string' ? block.resource.text : `[resource ${String(block.resource.uri)}]`
    case 'resource_link':
      return `[${block.name}](${block.uri})`
  }
}

function lengthOf({ text, content }: { text: string; content?: readonly ToolContent[] }): number {
  const blocks = content?.reduce((sum, block) => sum + sizeOfBlock(block), 0) ?? 0
  return Math.max(text.length, blocks)
}

function sizeOfBlock(block: ToolContent): number {
  if (block.type === 'image') return block.data.length
  return block.type === 'resource' ? textOf(block.resource).length : textOfBlock(block).length
}

function tooLarge(maxResultLength: number): ToolOutcome {
  const mebi = Math.floor(maxResultLength / (1024 * 1024))
  const limit = mebi > 0 ? `${mebi} million characters` : `${maxResultLength} characters`
  return {
    ok: false,
    code: 'too_large',
    error: `The tool's result is too large (over ${limit}). Ask for less, for example fewer items or a smaller part.`,
  }
}
