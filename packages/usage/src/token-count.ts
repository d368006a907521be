/** How many tokens a turn has used: the AI's own figures, or an estimate that says it is one. */

/** What is known of a turn that has ended. Lengths in characters. */
export interface TurnFigures {
  promptChars: number
  textChars: number
  /** The AI's own figures; `null`, or one of them missing: it gave none. */
  usage: { inputTokens?: number; outputTokens?: number } | null
}

/** English text has about four characters a token with the tokenizers in use; other languages have fewer. */
const CHARS_PER_TOKEN = 4

/** A figure that can't be one counts as none given. */
function isFigure(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0
}

/** All tokens of the turn, and how many of them are estimated. */
export function countTokens({ promptChars, textChars, usage }: TurnFigures): { tokens: number; estimated: number } {
  const parts = [
    { figure: usage?.inputTokens, chars: promptChars },
    { figure: usage?.outputTokens, chars: textChars },
  ]
  let [tokens, estimated] = [0, 0]
  for (const { figure, chars } of parts) {
    const guess = isFigure(figure) ? 0 : Math.ceil(chars / CHARS_PER_TOKEN)
    tokens += isFigure(figure) ? figure : guess
    estimated += guess
  }
  return { tokens, estimated }
}
