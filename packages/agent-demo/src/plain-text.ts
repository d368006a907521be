/** Text from a page made fit to stand inside a sentence: no control or direction characters, cut to a length. */

/** Longest label: names of tools, keys of results. */
const MAX_LABEL_LENGTH = 60
/** Longest piece of a page's text inside a sentence. */
const MAX_PHRASE_LENGTH = 400

/** Control characters except line feeds and tabs, and marks that turn the direction of writing. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** On one line and short. */
export function plainLabel(text: string): string {
  return cutText(plainLine(text), MAX_LABEL_LENGTH)
}

/** On one line, a sentence or two long. */
export function plainPhrase(text: string): string {
  return cutText(plainLine(text), MAX_PHRASE_LENGTH)
}

/** Lines are kept. */
export function plainBlock(text: string, maxLength: number): string {
  return cutText(wellFormed(text).replace(/\r\n?/gu, '\n').replace(UNSEEN, '').trim(), maxLength)
}

function plainLine(text: string): string {
  return wellFormed(text).replace(/\s+/gu, ' ').replace(UNSEEN, '').trim()
}

/** Without half surrogate pairs, which no text format can carry. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
}

/** Cuts without halving a character, and says so with an ellipsis. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${wellFormed(text.slice(0, maxLength - 1)).trimEnd()}…`
}
