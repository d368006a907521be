/**
 * Counts a JSON text's objects and lists before it is parsed: 16 MB of nothing but brackets take the parser many
 * seconds, in which the engine answers nobody, and any page may send them. Texts, however long, are parsed in no time.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The place behind the text that begins at `start`; the end, where it doesn't end. */
function endOfText(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (json.charCodeAt(before) === BACKSLASH) before -= 1
    // An even number of backslashes escape one another, and not the quote.
    if ((quote - before) % 2 === 1) return quote + 1
  }
  return json.length
}

/**
 * Whether a JSON text has more than `limit` objects and lists. Never throws; of text that isn't JSON it says nothing useful.
 */
export function hasMoreParts(json: string, limit: number): boolean {
  if (json.length <= limit) return false
  let parts = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at) - 1
    // `[` is 0x5b and `{` 0x7b.
    else if ((code | 0x20) === 0x7b) {
      parts += 1
      if (parts > limit) return true
    }
  }
  return false
}
