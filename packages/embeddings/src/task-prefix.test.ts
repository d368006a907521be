import { describe, expect, it } from 'vitest'
import { taskPrefix } from './index.js'

const REPRESENT = 'Represent this sentence for searching relevant passages: '
const INSTRUCT = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: '
const FAMILIES: Record<string, [query: string, document: string, ...ids: string[]]> = {
  'nomic-embed': [
    'search_query: ',
    'search_document: ',
    'text-embedding-nomic-embed-text-v1.5',
    'nomic-embed-text:latest',
    'nomic-embed-text-v2-moe',
    'nomic-ai/Nomic-Embed-Text-v1.5-GGUF',
  ],
  'nomic-embed-code': ['Represent this query for searching relevant code: ', '', 'nomic-embed-code'],
  e5: [
    'query: ',
    'passage: ',
    'intfloat/e5-large-v2',
    'multilingual-e5-small:latest',
    'text-embedding-e5-base',
    'mxbai-embed-de-large-v1',
  ],
  'e5 with instructions': [INSTRUCT, '', 'multilingual-e5-large-instruct', 'e5-mistral-7b-instruct'],
  bge: [REPRESENT, '', 'bge-large:latest', 'BAAI/bge-small-en-v1.5', 'text-embedding-bge-base-en-v1.5'],
  mxbai: [REPRESENT, '', 'mxbai-embed-large:latest', 'mixedbread-ai/mxbai-embed-large-v1'],
  'none of them': [
    '',
    '',
    'all-minilm',
    'bge-m3',
    'bge-large-zh-v1.5',
    'bge-reranker-base',
    'snowflake-arctic-embed',
    'qwen3-embedding:0.6b',
    'embeddinggemma',
    'voice5-embed',
    'e500',
  ],
}

describe.each(Object.entries(FAMILIES))('the prefix of %s', (_family, [query, document, ...ids]) => {
  it.each(ids)('%s', (id) => {
    expect([taskPrefix(id, 'query'), taskPrefix(id, 'document')]).toEqual([query, document])
  })
})
