/** How notes are searched now, and what it takes to search them by meaning, in plain words. Pure: a table. */
import type { LeuriaConnectionState } from '@leuria/client'
import type { IndexState } from '@leuria/store'

export interface SearchWords {
  readonly title: string
  readonly text: string
  readonly tone: 'calm' | 'busy' | 'good' | 'attention'
  /** A command to type in a terminal. */
  readonly command?: string
  /** The visitor may have it tried again. */
  readonly canRetry?: boolean
}

export interface SearchFacts {
  readonly index: Pick<IndexState, 'status' | 'model' | 'done' | 'total'>
  readonly connection: Pick<LeuriaConnectionState, 'status' | 'model'>
}

const WORDS: Readonly<Record<IndexState['status'], (facts: SearchFacts) => SearchWords>> = {
  waiting: ({ connection }) => (connection.status === 'connected' ? withoutEmbedder(connection.model) : notConnected()),
  indexing: ({ index }) => ({
    title: 'Reading your notes',
    text: `${index.done} of ${index.total} notes are read. Until then notes are found by their words.`,
    tone: 'busy',
  }),
  ready: ({ index }) => ({
    title: 'Search by meaning',
    text: `Ask in your own words: a note is found even if it uses others. ${index.model ?? 'A model'} on your computer reads the notes; they stay in this browser.`,
    tone: 'good',
  }),
  error: () => ({
    title: 'Reading the notes didn’t work',
    text: 'The model that reads them stopped. Notes are found by their words meanwhile.',
    tone: 'attention',
    canRetry: true,
  }),
}

export function searchWordsFor(facts: SearchFacts): SearchWords {
  return WORDS[facts.index.status](facts)
}

function notConnected(): SearchWords {
  return {
    title: 'Search by words',
    text: 'Notes with your words in them are found. Connect your AI above to search by what the notes mean.',
    tone: 'calm',
  }
}

function withoutEmbedder(name = 'Your AI'): SearchWords {
  return {
    title: 'Search by words',
    text: `${name} is connected, but searching by meaning takes one more thing: a small model on your computer that turns texts into numbers (an embedding model), for example nomic-embed-text in Ollama. Once Leuria finds one, this page uses it by itself. What it finds:`,
    command: 'leuria ai embeddings',
    tone: 'calm',
  }
}
