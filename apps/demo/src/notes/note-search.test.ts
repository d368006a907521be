import { describe, expect, it, vi } from 'vitest'
import { BaseProvider, createLeuria, type Embedding, type ProviderSession } from '@leuria/client'
import { memoryStorage } from '@leuria/store'
import { createNotebook } from './notebook.js'
import { createNoteSearch, type NoteSearch } from './note-search.js'
import { searchWordsFor } from './search-words.js'

/** Knows three meanings: fire, health, and people who buy. */
const MEANINGS = [/kiln|fire|burst|broke|break/i, /back|hurts|health|posture/i, /sold|customers?|market|buy/i]

class Embedder extends BaseProvider {
  readonly offers = ['embed'] as const
  isBroken = false
  constructor() {
    super('embedder', 'Embedder', 'device', { status: 'unavailable', capabilities: [] })
  }
  come(): void {
    this.setState({ status: 'ready', capabilities: ['embed'], embedModel: 'tiny' })
  }
  async detect(): Promise<void> {
    // It comes when the test says so.
  }
  createSession(): Promise<ProviderSession> {
    throw new Error('It only embeds.')
  }
  async embed(texts: readonly string[]): Promise<Embedding> {
    if (this.isBroken) throw new Error('out of memory')
    const vectors = texts.map((text) => [...MEANINGS.map((meaning) => (meaning.test(text) ? 1 : 0.01)), 0.1])
    return { vectors, model: 'tiny' }
  }
}

function scene(): { embedder: Embedder; search: NoteSearch; notebook: ReturnType<typeof createNotebook> } {
  const embedder = new Embedder()
  const client = createLeuria({ providers: [embedder], autoDetect: false })
  const notebook = createNotebook()
  return { embedder, notebook, search: createNoteSearch(client, notebook, memoryStorage()) }
}
const ready = async ({ search }: { search: NoteSearch }): Promise<void> => {
  await vi.waitFor(
    () => {
      expect(search.getState().status).toBe('ready')
    },
    { timeout: 20_000 },
  )
}

describe('notes', () => {
  it('are found by their words while nobody embeds', async () => {
    const { search } = scene()
    expect(search.getState().status).toBe('waiting')
    const hits = await search.find('sponge')
    expect(hits.map(({ note, score }) => [note.id, score])).toEqual([['glaze-crawl', undefined]])
    expect(await search.find('posture')).toEqual([])
  })

  it('are found by meaning once somebody does, new ones too', async () => {
    const all = scene()
    all.embedder.come()
    await ready(all)
    expect((await all.search.find('posture'))[0]?.note.id).toBe('back')
    all.notebook.add('Sit straight, for your health.')
    await ready(all)
    expect((await all.search.find('posture')).slice(0, 2).map(({ note }) => note.text)).toContain(
      'Sit straight, for your health.',
    )
  })

  it('have others that are like them', async () => {
    const all = scene()
    all.embedder.come()
    await ready(all)
    const market = all.notebook.get().find(({ id }) => id === 'market')
    if (market === undefined) throw new Error('no such note')
    const hits = await all.search.similar(market)
    expect(hits.map(({ note }) => note.id)).not.toContain('market')
    expect(hits[0]?.note.id).toBe('dishwasher')
  })

  it('are like nothing once they were thrown away', async () => {
    const all = scene()
    all.embedder.come()
    await ready(all)
    const [note] = all.notebook.get()
    if (note === undefined) throw new Error('no note')
    all.notebook.remove(note.id)
    expect(await all.search.similar(note)).toEqual([])
  })

  it('are found by their words after the model broke, and may be read again', async () => {
    const all = scene()
    all.embedder.isBroken = true
    all.embedder.come()
    await vi.waitFor(
      () => {
        expect(all.search.getState().status).toBe('error')
      },
      { timeout: 20_000 },
    )
    expect((await all.search.find('sponge'))[0]?.note.id).toBe('glaze-crawl')
    all.embedder.isBroken = false
    all.search.retry()
    await ready(all)
  })
})

describe('how notes are searched, in words', () => {
  const index = { model: 'nomic', done: 3, total: 12 }
  const connected = { status: 'connected', model: 'Demo AI (no model)' } as const

  it.each([
    ['not connected', 'waiting', { status: 'not-connected' }, /Connect your AI/],
    [
      'connected without an embedder',
      'waiting',
      connected,
      /^Demo AI \(no model\) is connected, but .*embedding model/,
    ],
    ['being read', 'indexing', connected, /3 of 12/],
    ['ready', 'ready', connected, /nomic on your computer/],
    ['broken', 'error', connected, /stopped/],
  ] as const)('%s', (...[, status, connection, text]) => {
    const words = searchWordsFor({ index: { ...index, status }, connection })
    expect(words.text).toMatch(text)
    expect(words.canRetry === true).toBe(status === 'error')
  })

  it('says how to look for an embedder only where one is missing', () => {
    expect(searchWordsFor({ index: { ...index, status: 'waiting' }, connection: connected }).command).toBe(
      'leuria ai embeddings',
    )
    expect(
      searchWordsFor({ index: { ...index, status: 'waiting' }, connection: { status: 'not-connected' } }).command,
    ).toBeUndefined()
  })
})
