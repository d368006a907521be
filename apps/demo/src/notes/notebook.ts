/** The potter's notes: what there is, kept in the browser. A visitor may add their own and throw any away. */
import { createStore, type Store } from '../store.js'

export interface Note {
  /** The same on each visit: vectors are found again by it. */
  readonly id: string
  readonly text: string
}

export interface Notebook extends Pick<Store<readonly Note[]>, 'get' | 'subscribe'> {
  /** Without words nothing is added. */
  add: (text: string) => void
  remove: (id: string) => void
  /** The potter's own notes again, in place of all others. */
  restore: () => void
}

/** Where notes are kept between visits. */
export interface NoteStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const STORAGE_KEY = 'small-kiln:notes'
/** Longest note, in characters: one thought. */
export const MAX_NOTE_LENGTH = 600
/** Most notes; the oldest of the visitor's own make room. */
const MAX_NOTES = 200

const POTTERS_NOTES: readonly Note[] = [
  {
    id: 'glaze-crawl',
    text: 'Glaze pulled away from the rim on six mugs. The bisque was dusty: wipe them with a damp sponge first.',
  },
  { id: 'kiln-slow', text: 'Fire slower up to 600 degrees. Two bowls burst because the clay was still wet inside.' },
  {
    id: 'handle-crack',
    text: 'Handles crack where they join when they dry faster than the body. Cover them with plastic overnight.',
  },
  { id: 'market', text: 'Saturday market: sold eleven mugs, most of them white. People ask for something larger.' },
  { id: 'blue', text: 'The sea-coloured glaze needs two thin coats. One thick coat runs down onto the shelf.' },
  { id: 'clay-delivery', text: 'Next load of stoneware arrives on the 14th. Make room under the bench.' },
  { id: 'lid', text: 'Teapot lids: measure while both parts are equally dry, otherwise they will not sit.' },
  { id: 'electricity', text: 'Power is cheaper after ten at night. Load in the afternoon, start late.' },
  { id: 'apprentice', text: 'Mira starts on Monday. Show her wedging first; throwing can wait.' },
  {
    id: 'dishwasher',
    text: 'A customer’s cup lost its shine in the machine. The matt one is too soft for that; say so on the label.',
  },
  { id: 'window', text: 'New display for the window: fewer pieces, more space between them, a branch of cherry.' },
  { id: 'back', text: 'Raise the wheel by a hand’s width. My back hurts after every long day of throwing.' },
]

export function createNotebook(storage?: NoteStorage): Notebook {
  const store = createStore<readonly Note[]>(readNotes(storage) ?? POTTERS_NOTES)
  store.subscribe((notes) => {
    try {
      storage?.setItem(STORAGE_KEY, JSON.stringify(notes))
    } catch {
      // A private window or a full disk: the notes live as long as the page.
    }
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    add(text) {
      const words = text.trim().slice(0, MAX_NOTE_LENGTH)
      if (words === '') return
      const note = { id: `own-${crypto.randomUUID()}`, text: words }
      store.update((notes) => [note, ...notes].slice(0, MAX_NOTES))
    },
    remove(id) {
      store.update((notes) => notes.filter((note) => note.id !== id))
    },
    restore() {
      store.set(POTTERS_NOTES)
    },
  }
}

/** `null`: nothing was kept, or nothing that can be read. */
function readNotes(storage?: NoteStorage): readonly Note[] | null {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? 'null')
    return Array.isArray(kept) && kept.every(isNote) ? kept : null
  } catch {
    return null
  }
}

function isNote(value: unknown): value is Note {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('text' in value)) return false
  return typeof value.id === 'string' && value.id !== '' && typeof value.text === 'string'
}
