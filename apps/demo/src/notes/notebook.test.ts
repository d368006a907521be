import { describe, expect, it } from 'vitest'
import { createNotebook, MAX_NOTE_LENGTH, type NoteStorage } from './notebook.js'
import { searchWords } from './word-search.js'

function memory(first?: string): NoteStorage & { kept: () => string | null } {
  let kept = first ?? null
  return { getItem: () => kept, setItem: (_, value) => (kept = value), kept: () => kept }
}

describe('the notebook', () => {
  it('begins with the potter’s notes, each with an id of its own', () => {
    const notes = createNotebook().get()
    expect(notes.length).toBeGreaterThan(8)
    expect(new Set(notes.map(({ id }) => id)).size).toBe(notes.length)
  })

  it('keeps what was added and thrown away, over a reload', () => {
    const storage = memory()
    const notebook = createNotebook(storage)
    notebook.add('  Buy sponges.  ')
    notebook.remove('market')
    const again = createNotebook(storage).get()
    expect(again[0]?.text).toBe('Buy sponges.')
    expect(again.some(({ id }) => id === 'market')).toBe(false)
    expect(again).toEqual(notebook.get())
  })

  it('adds nothing without words, and cuts what is too long', () => {
    const notebook = createNotebook()
    const before = notebook.get()
    notebook.add('   ')
    expect(notebook.get()).toBe(before)
    notebook.add('x'.repeat(MAX_NOTE_LENGTH + 1))
    expect(notebook.get()[0]?.text).toHaveLength(MAX_NOTE_LENGTH)
  })

  it('brings the potter’s notes back', () => {
    const notebook = createNotebook()
    const before = notebook.get()
    for (const { id } of before) notebook.remove(id)
    expect(notebook.get()).toEqual([])
    notebook.restore()
    expect(notebook.get()).toEqual(before)
  })

  it.each(['{', '7', '[{"id":""}]', '[{"id":"a","text":3}]', '[null]'])('takes no damage for notes: %s', (damage) => {
    expect(createNotebook(memory(damage)).get()).toEqual(createNotebook().get())
  })

  it('goes on where nothing can be kept', () => {
    const blocked: NoteStorage = {
      getItem: () => {
        throw new Error('blocked')
      },
      setItem: () => {
        throw new Error('blocked')
      },
    }
    const notebook = createNotebook(blocked)
    notebook.add('Still here.')
    expect(notebook.get()[0]?.text).toBe('Still here.')
  })
})

describe('plain search', () => {
  const notes = ['Blue glaze', 'blue clay and Glasur', 'Crème'].map((text, at) => ({ id: String(at), text }))
  it.each([
    ['blue', ['0', '1']],
    ['CLAY blue', ['1', '0']],
    ['creme', ['2']],
    ['elephant', []],
    ['?!', []],
  ])('finds %s', (query, ids) => {
    expect(searchWords(notes, query).map(({ id }) => id)).toEqual(ids)
  })
})
