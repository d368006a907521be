/**
 * What a model's card asks to be put in front of a text, by the family in its name: some models were trained with queries
 * and documents marked, and search worse without (Embeddings).
 */
import type { EmbedKind } from '@leuria/protocol'

interface Family {
  name: string
  is: (id: string) => boolean
  prefix: Readonly<Record<EmbedKind, string>>
}

/** `nomic-ai/nomic-embed-text-v1.5`, "Task instruction prefixes". */
const NOMIC = { query: 'search_query: ', document: 'search_document: ' } as const
/** `nomic-ai/nomic-embed-code`, "Usage". */
const NOMIC_CODE = { query: 'Represent this query for searching relevant code: ', document: '' } as const
/** `intfloat/e5-large-v2`, "FAQ 1". */
const E5 = { query: 'query: ', document: 'passage: ' } as const
/** `intfloat/multilingual-e5-large-instruct`, "FAQ 1": a task on the query's side only. */
const E5_INSTRUCT = {
  query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
  document: '',
} as const
/** `BAAI/bge-large-en-v1.5` and `mixedbread-ai/mxbai-embed-large-v1`, "Usage": on queries only. */
const REPRESENT = { query: 'Represent this sentence for searching relevant passages: ', document: '' } as const
const NONE = { query: '', document: '' } as const

/** A word of a name: nothing that reads on before or after it. */
const word = (text: string): RegExp => new RegExp(`(^|[^a-z0-9])${text}([^a-z0-9]|$)`)

/** The first that fits counts. */
const FAMILIES: readonly Family[] = [
  { name: 'nomic-embed-code', is: (id) => id.includes('nomic-embed-code'), prefix: NOMIC_CODE },
  { name: 'nomic-embed', is: (id) => id.includes('nomic-embed'), prefix: NOMIC },
  // Its German one follows e5.
  { name: 'mxbai-embed-de', is: (id) => id.includes('mxbai-embed-de'), prefix: E5 },
  { name: 'mxbai', is: (id) => word('mxbai').test(id), prefix: REPRESENT },
  { name: 'e5-instruct', is: (id) => word('e5').test(id) && /instruct|mistral/.test(id), prefix: E5_INSTRUCT },
  { name: 'e5', is: (id) => word('e5').test(id), prefix: E5 },
  // Its English ones: not bge-m3, not the Chinese ones, not the code and reranking models.
  {
    name: 'bge',
    is: (id) => word('bge-(small|base|large)').test(id) && !word('zh').test(id),
    prefix: REPRESENT,
  },
]

/** What goes in front of a text of this kind, for this model; often nothing. */
export function taskPrefix(model: string, kind: EmbedKind): string {
  const id = model.toLowerCase()
  return (FAMILIES.find((family) => family.is(id))?.prefix ?? NONE)[kind]
}
