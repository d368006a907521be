/**
 * Notes found by what they mean: an index in this browser (`@leuria/store`) whose vectors a model on the visitor's own
 * computer makes. As long as nobody makes any, notes are found by their words.
 */
import type { Leuria } from '@leuria/client'
import { createIndex, type IndexState, type VectorStorage } from '@leuria/store'
import type { Note, Notebook } from './notebook.js'
import { searchWords } from './word-search.js'

export interface NoteHit {
  readonly note: Note
  /** How near the meaning is: 1 is the same. Missing where words were looked for. */
  readonly score?: number
}

export interface NoteSearch {
  getState(): IndexState
  /** Told whenever a search may find something else. Returns its undo. */
  subscribe(listener: () => void): () => void
  find(query: string): Promise<NoteHit[]>
  /** Notes that are about the same. */
  similar(note: Note): Promise<NoteHit[]>
  retry(): void
}

/** As many as fit on a screen; further ones are hardly what was meant. */
const MOST_HITS = 4

export function createNoteSearch(
  client: Pick<Leuria, 'embed' | 'getState' | 'subscribe'>,
  notebook: Notebook,
  storage?: VectorStorage,
): NoteSearch {
  const index = createIndex(client, { name: 'small-kiln-notes', documents: notebook.get(), storage })
  notebook.subscribe((notes) => {
    index.setDocuments(notes)
  })
  const byWords = (query: string): NoteHit[] => searchWords(notebook.get(), query).map((note) => ({ note }))
  return {
    getState: () => index.getState(),
    subscribe: (listener) => index.subscribe(listener),
    async find(query) {
      if (index.getState().status !== 'ready') return byWords(query)
      try {
        const hits = await index.search(query, { k: MOST_HITS })
        return hits.map(({ document: note, score }) => ({ note, score }))
      } catch {
        return byWords(query) // The model went away meanwhile; the state says so.
      }
    },
    async similar({ id }) {
      try {
        const hits = await index.similar(id, { k: MOST_HITS })
        return hits.map(({ document: note, score }) => ({ note, score }))
      } catch {
        return [] // The note, or the model, went away meanwhile; whoever looks is told of either.
      }
    },
    retry: () => {
      index.retry()
    },
  }
}
