/** Cuts a list of texts into batches that a service takes well. Pure. */

export interface BatchLimits {
  maxTexts: number
  /** All texts of a batch together, in UTF-16 units. */
  maxCharacters: number
}

/** A run of texts, by their places. */
export interface Batch {
  /** The first one's place. */
  from: number
  /** The place after the last one. */
  to: number
}

/** In order, without gaps. A text larger than a batch may be is a batch of its own. */
export function batchesOf(texts: readonly string[], limits: BatchLimits): Batch[] {
  const batches: Batch[] = []
  let from = 0
  let characters = 0
  for (const [at, { length }] of texts.entries()) {
    const full = at - from >= limits.maxTexts || characters + length > limits.maxCharacters
    if (at > from && full) {
      batches.push({ from, to: at })
      from = at
      characters = 0
    }
    characters += length
  }
  if (texts.length > from) batches.push({ from, to: texts.length })
  return batches
}
