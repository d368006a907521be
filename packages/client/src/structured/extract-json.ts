/** Finding the JSON in what an AI wrote. */
import { parseJson } from '../engine/unknown-value.js'

/** The value of the whole text, else of a fenced block, else from the first bracket to its last match. `undefined`: there is none. */
export function extractJson(text: string): unknown {
  const fences = [...text.matchAll(/```[\w-]*\s*\n([^]*?)```/g)].map(([, body]) => body ?? '')
  for (const candidate of [text, ...fences, betweenBrackets(text)]) {
    const value = parseJson(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function betweenBrackets(text: string): string {
  const start = text.search(/[[{]/)
  return start < 0 ? '' : text.slice(start, text.lastIndexOf(text[start] === '{' ? '}' : ']') + 1)
}
