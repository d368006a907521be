/** A byte stream → lines of text, as MCP's stdio transport has them: one JSON message each, UTF-8, ended by `\n`. */
import { StringDecoder } from 'node:string_decoder'

export type Line = { ok: true; text: string } | { ok: false; error: 'too long' }

/** Empty lines are skipped; a line over `maxLength` characters is dropped and reported once. */
export async function* readLines(input: AsyncIterable<Buffer | string>, maxLength: number): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let dropping = false
  for await (const chunk of input) {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      if (dropping) dropping = false
      else if (part.length > maxLength) yield { ok: false, error: 'too long' }
      else if (part.trim() !== '') yield { ok: true, text: part }
    }
    if (rest.length <= maxLength) continue
    if (!dropping) yield { ok: false, error: 'too long' }
    dropping = true
    rest = ''
  }
  rest += decoder.end()
  if (!dropping && rest.trim() !== '') yield { ok: true, text: rest }
}
