/** Builds the notebook's page: notes, their search by meaning, and the source of both. */
import '../styles/page.css'
import { connection } from '@leuria/client'
import { pageClient } from '../site/page-client.js'
import pageClientSource from '../site/page-client.ts?raw'
import { buildSitePage } from '../site/site-page.js'
import { sourcePanel } from '../site/source-panel.js'
import { createNoteSearch } from './note-search.js'
import noteSearchSource from './note-search.ts?raw'
import { createNotebook } from './notebook.js'
import { createNotesView } from './notes-view.js'
import { searchWordsFor } from './search-words.js'

const client = pageClient({})
const link = connection(client)
const notebook = createNotebook(window.localStorage)
const search = createNoteSearch(client, notebook)
const view = createNotesView({
  ...{ notebook, search },
  words: () => searchWordsFor({ index: search.getState(), connection: link.getState() }),
})
search.subscribe(view.draw)
link.subscribe(view.draw)

buildSitePage({
  ...{ page: 'notes', client },
  title: 'A notebook that knows what you mean',
  lead: 'The potter’s notes of a year. Search them by what they are about, not by how they happen to say it.',
  content: view.nodes,
  source: sourcePanel({
    intro:
      'The index lives in this browser (IndexedDB). A model on your computer turns notes and questions into vectors; no server sees either.',
    files: [
      { path: 'notes/note-search.ts', about: 'the index and its fallback', text: noteSearchSource },
      { path: 'site/page-client.ts', about: 'who may answer', text: pageClientSource },
    ],
  }),
})
