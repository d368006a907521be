/** The notebook on the page: how it is searched, the search, the notes that were found or all of them, and a new one. */
import { element, fill, setAttributes } from '../view/element.js'
import { icon } from '../view/icons.js'
import type { NoteHit, NoteSearch } from './note-search.js'
import { MAX_NOTE_LENGTH, type Note, type Notebook } from './notebook.js'
import type { SearchWords } from './search-words.js'
import { suggestionButtons } from '../view/suggestion-buttons.js'

export interface NotesViewOptions {
  notebook: Notebook
  search: NoteSearch
  /** How notes are searched now. */
  words: () => SearchWords
}

export interface NotesView {
  readonly nodes: readonly HTMLElement[]
  /** Something about the search has changed. */
  draw: () => void
}

const SUGGESTIONS = ['Why did pieces break in the fire?', 'looking after my health', 'what people want to buy']

export function createNotesView({ notebook, search, words }: NotesViewOptions): NotesView {
  const status = element('section', {
    class: 'card search-status',
    testId: 'search-status',
    attributes: { 'aria-label': 'How notes are searched' },
  })
  const input = element('input', {
    testId: 'note-search',
    attributes: {
      type: 'search',
      id: 'note-search',
      placeholder: 'Search the notes',
      autocomplete: 'off',
      maxlength: 200,
    },
  })
  const count = element('p', { class: 'shelf-count', testId: 'note-count', attributes: { role: 'status' } })
  const list = element('ul', { class: 'notes', testId: 'notes', attributes: { role: 'list' } })
  /** The note whose like are shown, in place of a search. */
  let alike: Note | null = null
  let newest = 0
  let shown = ''

  const look = async (): Promise<void> => {
    const mine = (newest += 1)
    const query = input.value.trim()
    const isSearch = query !== '' || alike !== null
    const hits = alike !== null ? await search.similar(alike) : query === '' ? all(notebook) : await search.find(query)
    if (mine !== newest) return // An older search was slower.
    count.textContent = countWords(hits, { isSearch, alike })
    const canCompare = search.getState().status === 'ready'
    // Drawn anew only where something else is to be seen: a press that has begun, or the focus, would be lost with its button.
    const wanted = JSON.stringify([canCompare, hits])
    if (wanted === shown) return
    shown = wanted
    fill(list, ...hits.map((hit) => noteCard(hit, { canCompare, onAlike, onRemove: notebook.remove })))
  }
  const onAlike = (note: Note): void => {
    alike = note
    input.value = ''
    void look()
    input.focus()
  }
  const ask = (text: string): void => {
    input.value = text
    alike = null
    void look()
  }
  input.addEventListener('input', () => {
    alike = null
    void look()
  })
  notebook.subscribe((notes) => {
    if (alike !== null && !notes.includes(alike)) alike = null
    void look()
  })
  const draw = (): void => {
    drawStatus(status, words(), search)
    if (search.getState().status !== 'ready') alike = null
    void look()
  }
  draw()
  return { nodes: [status, searchField(input), suggestions(ask), count, list, newNote(notebook)], draw }
}

const all = (notebook: Notebook): NoteHit[] => notebook.get().map((note) => ({ note }))

function countWords(hits: readonly NoteHit[], { isSearch, alike }: { isSearch: boolean; alike: Note | null }): string {
  const notes = hits.length === 1 ? '1 note' : `${hits.length} notes`
  if (!isSearch) return notes
  if (alike !== null) return `${notes} like “${alike.text.slice(0, 40)}…”`
  if (hits.length === 0) return 'No note has these words.'
  return hits[0]?.score === undefined ? `${notes} with these words` : `The ${notes} that come nearest`
}

function drawStatus(node: HTMLElement, words: SearchWords, search: NoteSearch): void {
  setAttributes(node, { 'data-tone': words.tone })
  const retry = element('button', {
    class: 'button button-quiet',
    text: 'Try again',
    testId: 'search-retry',
    attributes: { type: 'button' },
    on: {
      click: () => {
        search.retry()
      },
    },
  })
  fill(
    node,
    element('h2', {}, element('span', { class: 'tone-dot' }), element('span', { text: words.title })),
    element('p', { text: words.text }),
    words.command === undefined ? null : element('p', { class: 'command' }, element('code', { text: words.command })),
    words.canRetry === true ? retry : null,
  )
}

function searchField(input: HTMLInputElement): HTMLElement {
  return element(
    'div',
    { class: 'search-field search-field-large', attributes: { role: 'search', 'aria-label': 'Notes' } },
    icon('search'),
    element('label', { class: 'visually-hidden', text: 'Search the notes', attributes: { for: 'note-search' } }),
    input,
  )
}

function suggestions(onPick: (text: string) => void): HTMLElement {
  return element('div', { class: 'suggestions suggestions-row' }, ...suggestionButtons(SUGGESTIONS, onPick))
}

interface NoteActions {
  canCompare: boolean
  onAlike: (note: Note) => void
  onRemove: (id: string) => void
}

function noteCard({ note, score }: NoteHit, { canCompare, onAlike, onRemove }: NoteActions): HTMLElement {
  const alike = element('button', {
    class: 'text-button',
    text: 'Notes like this',
    testId: 'note-alike',
    attributes: { type: 'button' },
    on: {
      click: () => {
        onAlike(note)
      },
    },
  })
  const remove = element(
    'button',
    {
      class: 'icon-button icon-button-small',
      testId: 'note-remove',
      attributes: { type: 'button', 'aria-label': `Throw away: ${note.text.slice(0, 40)}` },
      on: {
        click: () => {
          onRemove(note.id)
        },
      },
    },
    icon('trash'),
  )
  const near =
    score === undefined ? null : element('span', { class: 'fine-print', text: `nearness ${score.toFixed(2)}` })
  return element(
    'li',
    { class: 'note', testId: 'note', attributes: { 'data-note': note.id } },
    element('p', { text: note.text }),
    element('div', { class: 'note-foot' }, near, canCompare ? alike : null, remove),
  )
}

function newNote(notebook: Notebook): HTMLElement {
  const input = element('textarea', {
    testId: 'note-text',
    attributes: { id: 'note-text', rows: 2, placeholder: 'What should not be forgotten?', maxlength: MAX_NOTE_LENGTH },
  })
  const form = element(
    'form',
    { class: 'new-note' },
    element('label', { text: 'A new note', attributes: { for: 'note-text' } }),
    input,
    element(
      'div',
      { class: 'button-row' },
      element('button', {
        class: 'button button-quiet',
        text: 'The potter’s notes again',
        attributes: { type: 'button' },
        on: { click: notebook.restore },
      }),
      element('button', {
        class: 'button button-main',
        text: 'Add it',
        testId: 'note-add',
        attributes: { type: 'submit' },
      }),
    ),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    notebook.add(input.value)
    input.value = ''
    input.focus()
  })
  return form
}
