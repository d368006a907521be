/** Tells embedding models by their names, where a service says nothing of what its models are for. */

/** Whole words of a name, so that a "cabbage-gte" is one and "delegated" isn't. */
const WORDS = /(^|[^a-z0-9])(e5|bge|gte|minilm|paraphrase|arctic-embed|sentence-transformers)([^a-z0-9]|$)/

/** By the name alone: a guess, for lists without facts. */
export function looksLikeEmbedder(id: string): boolean {
  const name = id.toLowerCase()
  return name.includes('embed') || WORDS.test(name)
}
