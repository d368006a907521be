import { build } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type * as store from './index.js'
import type * as fixture from './fake-embedder.fixture.js'
import type { StoredVector, VectorSet, VectorStorage } from './storage.js'
import { storageContract } from './storage-contract.fixture.js'

declare global {
  interface Window {
    store: typeof store
    fixture: typeof fixture
    embedder: fixture.FakeEmbedder
    vectors: store.VectorIndex<store.IndexDocument>
  }
}

const SITE = 'https://shop.example/'
const executablePath = chromiumForTests()

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as store from './index.js'; import * as fixture from './fake-embedder.fixture.js'
        Object.assign(window, { store, fixture })`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

describe.skipIf(executablePath === null)('in a real browser', () => {
  let browser: Browser
  let script: string
  let context: BrowserContext

  beforeAll(async () => {
    script = await bundle()
    browser = await chromium.launch({ executablePath: executablePath ?? undefined })
  })
  afterAll(() => browser.close())
  afterEach(() => context.close())

  /** A page of the site, which is a secure one, in a profile of its own. */
  async function openPage(fresh = true): Promise<Page> {
    if (fresh) {
      context = await browser.newContext()
      await context.route(`${SITE}**`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }),
      )
      await context.addInitScript(script)
    }
    const page = await context.newPage()
    await page.goto(SITE)
    return page
  }

  /** The page's storage, from here; numbers travel as lists. */
  function storageOf(page: Page): VectorStorage {
    return {
      load: async (set) => {
        const rows = await page.evaluate(async (wanted) => {
          const found = await window.store.indexedDbStorage().load(wanted)
          return found.map((row) => ({ ...row, vector: [...row.vector] }))
        }, set)
        return rows.map((row) => ({ ...row, vector: Float32Array.from(row.vector) }))
      },
      put: (set, vectors) => {
        const plain = vectors.map((row: StoredVector) => ({ ...row, vector: [...row.vector] }))
        return page.evaluate(
          ([wanted, rows]) => {
            const vectors = rows.map((row) => ({ ...row, vector: Float32Array.from(row.vector) }))
            return window.store.indexedDbStorage().put(wanted, vectors)
          },
          [set, plain] as const,
        )
      },
      remove: (set, ids) =>
        page.evaluate(
          ([wanted, gone]: readonly [VectorSet, readonly string[]]) =>
            window.store.indexedDbStorage().remove(wanted, gone),
          [set, ids] as const,
        ),
    }
  }

  storageContract('IndexedDB', async () => {
    const page = await openPage()
    const reopen = async () => {
      await page.reload()
      return storageOf(page)
    }
    return { storage: storageOf(page), reopen }
  })

  /** Opens an index of twenty documents, four at a time. `stopAfter`: so many batches are answered. */
  const startIndex = (page: Page, stopAfter = Infinity) =>
    page.evaluate((limit) => {
      const embedder = new window.fixture.FakeEmbedder()
      embedder.gate = () =>
        embedder.batches.length > limit ? new Promise(() => undefined) : new Promise((go) => setTimeout(go))
      const documents = Array.from({ length: 20 }, (_, at) => ({ id: `d${at}`, text: `text number ${at}` }))
      const vectors = window.store.createIndex(embedder, { name: 'shop', documents, batchSize: 4 })
      Object.assign(window, { embedder, vectors })
    }, stopAfter)
  const finished = (page: Page) => page.evaluate(() => window.vectors.ready())
  const embedded = (page: Page) => page.evaluate(() => window.embedder.embedded.length)

  it('goes on after a reload in the middle', async () => {
    const page = await openPage()
    await startIndex(page, 2)
    await page.waitForFunction(() => window.embedder.batches.length === 3)
    await page.reload()
    await startIndex(page)
    await finished(page)
    expect(await embedded(page)).toBe(12)
    expect(await page.evaluate(() => window.vectors.getState().done)).toBe(20)
    await page.reload()
    await startIndex(page)
    await finished(page)
    expect(await embedded(page)).toBe(0)
    const hits = await page.evaluate(() => window.vectors.search('text number', { k: 3 }))
    expect(hits).toHaveLength(3)
  })

  it('lets two tabs that are opened at once share the work', async () => {
    const one = await openPage()
    const two = await openPage(false)
    await Promise.all([startIndex(one), startIndex(two)])
    await Promise.all([finished(one), finished(two)])
    expect((await embedded(one)) + (await embedded(two))).toBe(20)
  })

  it('lets a tab take over when the one that indexes is closed', async () => {
    const one = await openPage()
    await startIndex(one, 2)
    await one.waitForFunction(() => window.embedder.batches.length === 3)
    const two = await openPage(false)
    await startIndex(two)
    await one.close()
    await finished(two)
    expect(await embedded(two)).toBe(12)
  })

  it('works where storing is refused', async () => {
    const page = await openPage()
    await page.evaluate(() => {
      Object.defineProperty(window, 'indexedDB', {
        value: {
          open: () => {
            throw new DOMException('Blocked.', 'SecurityError')
          },
        },
      })
    })
    await startIndex(page)
    await finished(page)
    expect(await embedded(page)).toBe(20)
  })

  it('opens its database anew after it was deleted', async () => {
    const page = await openPage()
    const count = await page.evaluate(async () => {
      const storage = window.store.indexedDbStorage()
      const set = { index: 'a', model: 'b' }
      const row = { id: 'x', hash: 'y', vector: Float32Array.of(1) }
      await storage.put(set, [row])
      await new Promise((done) => {
        indexedDB.deleteDatabase('leuria-store').onsuccess = done
      })
      await storage.put(set, [row])
      return (await storage.load(set)).length
    })
    expect(count).toBe(1)
  })
})
