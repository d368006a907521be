import { bridge, createLeuria, type Leuria } from '@leuria/client'
import { pageScene, type PageSceneParts } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { chunkMarkdown, createIndex, memoryStorage } from './index.js'

const GUIDE = '# Mugs\n\n## Care\n\nWash them by hand.\n\n## Sizes\n\nThree of them, from small to very large indeed.\n'
const documents = chunkMarkdown(GUIDE).map(({ text, path }) => ({ id: path.join('/'), text: text.trim() }))

/** A page of a shop, and a visitor with a model for embedding, or without. */
async function shop(embedModel?: string) {
  const create = ({ clock, page, ...parts }: PageSceneParts): Leuria =>
    createLeuria({ providers: [bridge({ app: 'Shop', clock, page, ...parts })], clock, page })
  const scene = await pageScene(create, { connected: false })
  scene.engine.embedModel = embedModel
  return scene
}

describe("an index over the visitor's own model", () => {
  it('waits for the connection, embeds once, and finds', async () => {
    await using scene = await shop('nomic-embed-text')
    const storage = memoryStorage()
    const index = createIndex(scene.client, { name: 'guide', documents, storage })
    expect(index.getState()).toMatchObject({ status: 'waiting', total: 2 })
    await expect(index.search('care')).rejects.toMatchObject({ name: 'NoProviderError' })
    const connected = scene.client.connect('bridge')
    await scene.engine.pairing.answer(true)
    await connected
    await index.ready()
    expect(index.getState()).toMatchObject({ status: 'ready', model: 'nomic-embed-text', done: 2 })
    const [best] = await index.search(documents[1]!.text, { k: 1 })
    expect(best).toMatchObject({ id: 'Mugs/Sizes' })
    expect(best!.score).toBeCloseTo(1)
    const sent = () => scene.engine.log.requests(/embed/).length
    const before = sent()
    const later = createIndex(scene.client, { name: 'guide', documents, storage })
    await later.ready()
    expect(sent()).toBe(before)
    for (const each of [index, later]) each.destroy()
  })

  it('stays waiting for a visitor without such a model', async () => {
    await using scene = await shop()
    const index = createIndex(scene.client, { name: 'guide', documents, storage: memoryStorage() })
    const connected = scene.client.connect('bridge')
    await scene.engine.pairing.answer(true)
    await connected
    expect(index.getState().status).toBe('waiting')
    index.destroy()
  })
})
