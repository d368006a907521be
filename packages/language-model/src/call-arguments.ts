/**
 * Reads a call's arguments: one JSON object, or nothing at all for a tool without parameters.
 * Slightly broken JSON (quotes, commas, literals of other languages, a code fence) is repaired when that can't change
 * a value; whatever was cut off or can be read in two ways is refused, and the model is told.
 */
import type { JsonObject } from '@leuria/agent'
import { jsonrepair } from 'jsonrepair'
import type { CallArguments } from './chat-model.js'

/** Longer arguments are read strictly only: repairing walks the text several times. */
const MAX_REPAIR_LENGTH = 100_000

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Never gives an object that the text doesn't spell out; an empty text (or `null`) is an empty object. */
export function readCallArguments(text: string): CallArguments {
  const bare = withoutFence(text.trim())
  if (bare === '') return { ok: true, value: {} }
  const strict = parse(bare)
  if (strict !== undefined) return fromValue(strict, text)
  const repaired = repair(bare)
  return repaired === null ? { ok: false, text } : { ok: true, value: repaired }
}

function fromValue(value: unknown, text: string): CallArguments {
  if (value === null) return { ok: true, value: {} }
  if (isObject(value)) return { ok: true, value }
  // JSON in a JSON string: some servers encode twice.
  const inner = typeof value === 'string' ? parse(value.trim()) : undefined
  return isObject(inner) ? { ok: true, value: inner } : { ok: false, text }
}

function repair(text: string): JsonObject | null {
  if (text.length > MAX_REPAIR_LENGTH || !text.startsWith('{') || !text.endsWith('}') || !quotesAreClear(text))
    return null
  let repaired: string
  try {
    repaired = jsonrepair(text)
  } catch {
    return null
  }
  if (substance(repaired) !== substance(text)) return null
  const value = parse(repaired)
  return isObject(value) ? value : null
}

/** `\`\`\`json … \`\`\`` around the whole. */
function withoutFence(text: string): string {
  const fenced = /^```\w*\s*\n([\s\S]*?)\n?\s*```$/.exec(text)
  return fenced?.[1]?.trim() ?? text
}

/**
 * What a repair must leave as it is: everything but white space, quotes, commas and backslashes, with the literals of
 * Python and JSON taken as equal. A repair that adds a bracket or a value, or drops a comment, changes it.
 */
function substance(text: string): string {
  return text
    .replace(/\\[nrtbf]/g, '')
    .replace(/[\s"'`´‘’“”,\\]+/g, '')
    .toLowerCase()
    .replaceAll('none', 'null')
}

/** Quotes come in pairs, and each stands beside a bracket, a comma or a colon; any other could end its string or not. */
function quotesAreClear(text: string): boolean {
  const quote = /["'“”]/.exec(text)?.[0] ?? '"'
  if (quote !== '"' && quote !== "'") return true
  let count = 0
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text.charAt(at - 1) === '\\') continue
    count += 1
    const before = text.slice(0, at).trimEnd().at(-1) ?? ''
    const after = text
      .slice(at + 1)
      .trimStart()
      .charAt(0)
    if (!'{[,:'.includes(before) && !'}],:'.includes(after)) return false
  }
  return count % 2 === 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
