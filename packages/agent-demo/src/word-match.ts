/**
 * How alike two folded words are, whatever their language: equal, the same word with another ending, or one inside the other.
 * A light stemmer by common beginnings; no dictionary.
 */

/** Equal words. */
export const SAME_WORD = 1
/** The same word with another ending: "suche" and "suchen", "ticket" and "tickets". */
export const SAME_STEM = 0.8
/** One word inside the other, as compounds have it: "wetter" in "wettervorhersage". */
export const PART_OF_WORD = 0.45

/** Shortest beginning that two forms of a word share. Shorter ones meet by chance. */
const MIN_STEM_LENGTH = 4
/** Shortest word that counts when found inside another. */
const MIN_PART_LENGTH = 5

/** What forms of a word end in, after their common beginning (English, German, French, Spanish). */
const ENDINGS = new Set(
  ['', 's', 'es', 'e', 'n', 'en', 'er', 'ern', 'em', 'r', 'd', 'ed', 'ing', 'y', 'ies', 'ly', 'te', 'ten', 'st'].concat(
    ['t', 'et', 'ung', 'ungen', 'ment', 'ments', 'x', 'ez', 'ent', 'ant', 'ion', 'ions', 'ation', 'ations', 'o', 'os'],
    ['a', 'as', 'ar', 'or', 'ors', 'ers', 'al'],
  ),
)

/** From 0 (different) to 1 (equal). */
export function wordLikeness(a: string, b: string): number {
  if (a === b) return SAME_WORD
  if (sharesStem(a, b)) return SAME_STEM
  return isPart(a, b) || isPart(b, a) ? PART_OF_WORD : 0
}

/** The same word, endings aside. */
export function isSameWord(a: string, b: string): boolean {
  return wordLikeness(a, b) >= SAME_STEM
}

/** The best likeness of a word with any of several. */
export function bestLikeness(word: string, others: Iterable<string>): number {
  let best = 0
  for (const other of others) {
    best = Math.max(best, wordLikeness(word, other))
    if (best === SAME_WORD) break
  }
  return best
}

function sharesStem(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  let common = 0
  while (common < shorter && a[common] === b[common]) common += 1
  if (common < Math.min(MIN_STEM_LENGTH, shorter) || common < 3) return false
  const [restA, restB] = [a.slice(common), b.slice(common)]
  if (!ENDINGS.has(restA) || !ENDINGS.has(restB)) return false
  if (restA === '' || restB === '') return common >= MIN_STEM_LENGTH || restA + restB === 's'
  // Two single letters after the same beginning are mostly two words ("chair", "chain"); "e" is an ending.
  return common >= MIN_STEM_LENGTH && (restA.length + restB.length > 2 || restA === 'e' || restB === 'e')
}

function isPart(part: string, whole: string): boolean {
  // Two characters are a word in Chinese and Japanese.
  const minLength = /\p{Script=Han}|\p{Script=Katakana}/u.test(part) ? 2 : MIN_PART_LENGTH
  return part.length >= minLength && whole.length > part.length && whole.includes(part)
}
