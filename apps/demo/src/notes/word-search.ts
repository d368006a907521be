/** Plain search: notes that hold the words of the question, the most of them first. What is left without an embedder. Pure. */
import type { Note } from './notebook.js'

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

export function searchWords(notes: readonly Note[], query: string): Note[] {
  const words = fold(query).match(/[\p{L}\p{N}]+/gu) ?? []
  return notes
    .map((note) => ({ note, count: words.filter((word) => fold(note.text).includes(word)).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ note }) => note)
}
