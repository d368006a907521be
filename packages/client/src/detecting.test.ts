import { fakeClock, FakeBrowser, pageScene } from '@leuria/testing'
import { describe, expect, it, vi } from 'vitest'
import { BridgeClient } from './index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import './loaded-later.js'

const scene = (options: Parameters<typeof pageScene>[1] = {}) => pageScene((parts) => new BridgeClient(parts), options)

/** A connected client whose requests get this answer. */
function answered(answer: () => Promise<Response>) {
  const clock = fakeClock()
  const browser = new FakeBrowser('https://shop.example')
  browser.stored.set('leuria:token:http://127.0.0.1:19570', 'token')
  const client = new BridgeClient({ clock, page: browser.openTab(), fetch: answer })
  return { clock, browser, client }
}

describe('detect', () => {
  it('tells who answers, for the state too', async () => {
    await using page = await scene()
    page.engine.embedModel = 'nomic'
    const states: string[] = []
    page.client.subscribe(({ status }) => states.push(status))
    expect(await page.client.detect()).toEqual({
      status: 'ready',
      version: '0.1.0',
      agent: 'Puppet AI',
      embed: 'nomic',
    })
    const state = page.client.getState()
    expect(state).toEqual({
      status: 'connected',
      version: '0.1.0',
      agent: 'Puppet AI',
      approvals: 'page',
      embed: 'nomic',
    })
    await page.client.detect()
    expect(page.client.getState()).toBe(state)
    expect(states).toEqual(['connected'])
  })

  it('forgets the token when health says that the site is not paired', async () => {
    await using page = await scene()
    page.engine.pairing.grants.clear()
    expect(await page.client.detect()).toEqual({ status: 'unpaired' })
    expect([page.browser.stored.size, page.client.getState()]).toEqual([0, { status: 'not-connected' }])
  })

  it('trusts an engine that does not say whether the site is paired', async () => {
    const { client } = answered(() => Promise.resolve(Response.json({ leuria: '0.1.0', ok: true })))
    expect(await client.detect()).toMatchObject({ status: 'ready' })
  })

  it.each([
    ['nothing listens', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the engine is silent', () => Promise.resolve(new Response(null, { status: 403 }))],
    ['something else listens', () => Promise.resolve(Response.json({ hello: 'world' }))],
    ['something odd listens', () => Promise.resolve(new Response('<html>'))],
    ['the engine is in trouble', () => Promise.resolve(Response.json({ error: 'x' }, { status: 500 }))],
  ])('is offline when %s; the token stays', async (_, answer) => {
    const { client, browser } = answered(answer)
    expect(await client.detect()).toEqual({ status: 'offline' })
    expect([client.getState().status, browser.stored.size]).toEqual(['not-running', 1])
  })

  it('waits 1.5 s, no longer', async () => {
    const aborted = vi.fn()
    const { client, clock } = answered(() => new Promise(() => undefined))
    const detecting = client.detect().then(aborted)
    await clock.advanceAsync(1_499)
    expect(aborted).not.toHaveBeenCalled()
    await clock.advanceAsync(1)
    await detecting
    expect(aborted).toHaveBeenCalledWith({ status: 'offline' })
  })
})

describe('embed', () => {
  it('gives a vector for each text, in order, over as many requests as it takes', async () => {
    await using page = await scene()
    page.engine.embedModel = 'nomic'
    const texts = Array.from({ length: 300 }, (_, index) => 'x'.repeat(index + 1))
    const { model, vectors } = await page.client.embed(texts, { kind: 'query' })
    expect([model, vectors.map(([length]) => length)]).toEqual(['nomic', texts.map(({ length }) => length)])
    const bodies = page.engine.log.requests('POST /embed').map(({ body }) => body as { texts: string[]; kind: string })
    expect(bodies.map(({ texts, kind }) => [texts.length, kind])).toEqual([
      [256, 'query'],
      [44, 'query'],
    ])
  })

  it('cuts texts where the engine would', async () => {
    await using page = await scene()
    page.engine.embedModel = 'nomic'
    const { vectors } = await page.client.embed(['x'.repeat(8_000), 'x'.repeat(8_001)])
    expect(vectors.map(([length]) => length)).toEqual([8_000, 8_000])
  })

  it('sends nothing for no texts', async () => {
    await using page = await scene()
    expect(await page.client.embed([])).toEqual({ model: '', vectors: [] })
    expect(page.engine.log.entries).toEqual([])
  })

  it('says that there is no model, and that it changed in between', async () => {
    await using page = await scene()
    await expect(page.client.embed(['fox'])).rejects.toMatchObject({ status: 503, code: 'no_embedder' })
    page.engine.embedModel = 'one'
    const body = { model: 'two', vectors: Array.from({ length: 44 }, () => [1]) }
    const embedding = page.client.embed(Array<string>(300).fill('x'))
    await page.until(() => expect(page.engine.log.requests('POST /embed')).toHaveLength(2))
    page.engine.faults.answers.push({ request: /embed$/, status: 200, body })
    await expect(embedding).rejects.toMatchObject({ code: 'model_changed' })
  })

  it('can be called off', async () => {
    await using page = await scene()
    const abort = new AbortController()
    page.engine.faults.holds.push({ request: /embed$/, until: new Promise(() => undefined) })
    const embedding = page.client.embed(['fox'], { signal: abort.signal })
    const refused = expect(embedding).rejects.toMatchObject({ name: 'AbortError' })
    await page.until(() => expect(page.engine.log.requests('POST /embed')).toHaveLength(1))
    abort.abort()
    await refused
  })
})
