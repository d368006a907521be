/**
 * Text as words: where each stands, and a folded form that can be compared across spellings.
 * Owns splitting and folding; what a word means is the word lists' business.
 */

/** A word of a text and where it stands there. */
export interface Token {
  /** As written. */
  readonly text: string
  /** Folded: lower case, without accents on Latin letters, full-width forms made plain. */
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Knows word borders of every script, also of those that write no spaces. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Most words of one text that are looked at: questions and descriptions come from the page and may be huge. */
const MAX_TOKENS = 400
/** Most characters that are looked at, for the same reason. */
const MAX_TEXT_LENGTH = 4_000

/** Folds a word for comparison: "Météo" → "meteo", "Straße" → "strasse". Marks of other scripts stay: が is not か. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
}

/** The words of a text. Elided letters ("l'eau", "what's") are dropped, underscores separate. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text.slice(0, MAX_TEXT_LENGTH))) {
    if (isWordLike !== true) continue
    for (const part of wordParts(segment)) {
      const start = index + part.index
      tokens.push({ text: part.text, word: foldText(part.text), start, end: start + part.text.length })
      if (tokens.length >= MAX_TOKENS) return tokens
    }
  }
  return tokens
}

function wordParts(segment: string): { text: string; index: number }[] {
  const parts = [...segment.matchAll(/[^'’_]+/gu)].map((match) => ({ text: match[0], index: match.index }))
  const elided = /['’]/u.test(segment)
  return elided && parts.length > 1 ? parts.filter((part) => part.text.length > 1) : parts
}

/** The words of an identifier: "listOpenTickets2", "list_open-tickets" → list, open, tickets. */
export function nameWords(name: string): string[] {
  const spaced = name
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_\-./:]+/gu, ' ')
  return tokenise(spaced).map((token) => token.word)
}
