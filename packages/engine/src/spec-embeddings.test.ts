/** The protocol page's Embeddings, sentence by sentence, and what Health says of them: over HTTP, with services that answer. */
import { EMBEDDING_QUIRKS, type EmbeddingQuirk, livedTime, scriptedOllama, vectorOf } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { EVIL, SHOP } from './engine.fixture.js'
import { openServicesEngine, type ServicesEngine, type ServicesOptions } from './services-engine.fixture.js'

const NOMIC = 'nomic-embed-text:latest'
const MINILM = 'all-minilm:latest'
const containing = (text: string): unknown => expect.stringContaining(text)

/** An Ollama with these embedding models. */
const withModels = (...names: string[]): ServicesOptions => ({
  ollama: { models: names.map((name) => ({ name, capabilities: ['embedding'] })) },
})

/** What the services were sent, all of them together. */
const sent = ({ ollama, lmStudio }: ServicesEngine): string[] =>
  [...ollama.embeddings.requests, ...lmStudio.embeddings.requests].flatMap(({ input }) => input)

const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `text ${at}`)

describe('"POST /embed { texts: string[], kind?: "query" | "document" } returns { model, vectors }"', () => {
  it('"one vector per text, in order"', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    engine.ollama.embeddings.quirks = { reversed: true }
    const { status, json } = await engine.embed({ texts: ['fox', 'the dog', 'fox', ''] })
    expect(status).toBe(200)
    expect(json).toEqual({ model: MINILM, vectors: ['fox', 'the dog', 'fox', ''].map(vectorOf) })
  })

  it('"It needs the grant token"', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    const body = { texts: ['fox'] }
    const { token } = engine.site
    for (const call of [{ origin: SHOP }, { origin: SHOP, token: 'wrong' }, { origin: EVIL, token }])
      expect(await engine.test.call('/embed', { ...call, body })).toMatchObject({
        status: 401,
        json: { code: 'not_paired' },
      })
    expect(sent(engine)).toEqual([])
  })
})

// FC-20
describe('"The engine adds the prefix their model card asks for (nomic-embed, e5, bge, mxbai)"', () => {
  it('"kind defaults to document. Some models embed queries differently"', async () => {
    const model = 'text-embedding-nomic-embed-text-v1.5'
    await using engine = await openServicesEngine({ lmStudio: { models: [{ key: model, type: 'embedding' }] } })
    for (const kind of ['query', 'document', undefined])
      expect(await engine.embed({ texts: ['fox'], kind })).toMatchObject({ status: 200, json: { model } })
    expect(await engine.embed({ texts: ['fox'], kind: 'other' })).toMatchObject({ status: 400 })
    expect(sent(engine)).toEqual(['search_query: fox', 'search_document: fox', 'search_document: fox'])
  })

  it.each([
    ['all-minilm', 'fox', 'fox'],
    ['intfloat/multilingual-e5-large', 'query: fox', 'passage: fox'],
    ['bge-large-en-v1.5', 'Represent this sentence for searching relevant passages: fox', 'fox'],
    ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: fox', 'fox'],
  ])('%s: "%s" for a query, "%s" for a document', async (model, query, document) => {
    await using engine = await openServicesEngine(withModels(model))
    for (const kind of ['query', 'document', undefined]) await engine.embed({ texts: ['fox'], kind })
    expect(sent(engine)).toEqual([query, document, document])
  })
})

describe('"The model is an embedding model in LM Studio or Ollama on this computer"', () => {
  const both: ServicesOptions = {
    ...withModels(MINILM, NOMIC),
    lmStudio: { models: [{ key: 'qwen3' }, { key: 'e5-small', type: 'embedding' }] },
  }
  const modelOf = async (engine: ServicesEngine): Promise<unknown> => {
    const { status, json } = await engine.embed({ texts: ['fox'] })
    expect(json).toMatchObject(status === 200 ? { vectors: [expect.any(Array)] } : { code: 'no_embedder' })
    return status === 200 ? (json as { model: unknown }).model : status
  }

  it('"It is the one the visitor chose, or else the first one found"', async () => {
    await using engine = await openServicesEngine(both)
    expect(await modelOf(engine)).toBe('e5-small')
    await engine.change({ embed: { provider: 'ollama', model: 'nomic-embed-text' } })
    await expect.poll(() => modelOf(engine)).toBe(NOMIC)
    await engine.change({ embed: 'auto' })
    await expect.poll(() => modelOf(engine)).toBe('e5-small')
  })

  it('takes no other model in place of the one that was chosen', async () => {
    await using engine = await openServicesEngine({
      ...both,
      config: { embed: { provider: 'ollama', model: 'gone' } },
    })
    expect(await engine.embed({ texts: ['fox'] })).toMatchObject({
      status: 503,
      json: { code: 'no_embedder', error: containing('gone') },
    })
    expect(sent(engine)).toEqual([])
    expect(await engine.health()).not.toHaveProperty('embed')
  })

  it('"Services reached over the network are never used", nor is an API that happens to be on this computer', async () => {
    await using engine = await openServicesEngine({
      mine: { models: ['nomic-embed-text', 'text-embedding-3-small'] },
      ollama: { models: [{ name: NOMIC, capabilities: ['embedding'], remoteHost: 'https://ollama.com:443' }] },
      // An address that nobody has (RFC 5737).
      providers: [{ id: 'far', kind: 'ollama', name: 'Far', baseUrl: 'http://192.0.2.1:11434/v1' }],
    })
    expect(await modelOf(engine)).toBe(503)
    for (const [provider, model] of [
      ['mine', 'nomic-embed-text'],
      ['far', NOMIC],
      ['ollama', NOMIC],
    ]) {
      await engine.change({ embed: { provider, model } })
      await expect.poll(async () => (await engine.embed({ texts: ['fox'] })).text).toContain(String(model))
      expect(await modelOf(engine)).toBe(503)
    }
    expect(sent(engine)).toEqual([])
    expect(engine.mine.requests.filter((line) => line.includes('embeddings'))).toEqual([])
  })

  it('"The visitor can also turn embeddings off"', async () => {
    await using engine = await openServicesEngine({ ...both, config: { embed: 'off' } })
    expect(await engine.embed({ texts: ['fox'] })).toMatchObject({
      status: 503,
      json: { code: 'no_embedder', error: containing('turned off') },
    })
    expect(await engine.health()).not.toHaveProperty('embed')
    expect(sent(engine)).toEqual([])
    await engine.change({ embed: 'auto' })
    await expect.poll(() => modelOf(engine)).toBe('e5-small')
  })

  it('counts a choice that it cannot read as off: it may have meant that', async () => {
    await using engine = await openServicesEngine({ ...both, config: { embed: { never: true } } })
    expect(await modelOf(engine)).toBe(503)
  })
})

describe('"At most 256 texts per request, each cut to 8,000 characters. Malformed requests get 400"', () => {
  it('takes 256 texts and answers in order, however the service wants them in batches', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    const { status, json } = await engine.embed({ texts: texts(256) })
    expect(status).toBe(200)
    expect((json as { vectors: unknown }).vectors).toEqual(texts(256).map(vectorOf))
    expect(engine.ollama.embeddings.requests.length).toBeGreaterThan(1)
  })

  it('cuts after 8,000 characters and never through one', async () => {
    await using engine = await openServicesEngine(withModels(NOMIC))
    const given = ['a'.repeat(8_000), 'b'.repeat(8_001), `${'c'.repeat(7_999)}🦊`, `${'d'.repeat(7_998)}🦊`]
    expect((await engine.embed({ texts: given })).status).toBe(200)
    const prefix = 'search_document: '
    expect(sent(engine)).toEqual([
      prefix + 'a'.repeat(8_000),
      prefix + 'b'.repeat(8_000),
      prefix + 'c'.repeat(7_999),
      `${prefix}${'d'.repeat(7_998)}🦊`,
    ])
  })

  it.each([
    [{ texts: texts(257) }],
    [{ texts: [] }],
    [{}],
    [{ texts: 'fox' }],
    [{ texts: ['fox', 7] }],
    [{ texts: [null] }],
    [{ texts: ['fox'], kind: 'passage' }],
    [{ texts: ['fox'], kind: null }],
    [[]],
    [null],
  ])('refuses %.60j', async (body) => {
    await using engine = await openServicesEngine(withModels(MINILM))
    expect(await engine.embed(body)).toMatchObject({ status: 400, json: { error: expect.any(String) as unknown } })
    expect(sent(engine)).toEqual([])
  })
})

describe('"No local embedding model: 503 { error, code: "no_embedder" }. The local service failed: 502"', () => {
  it('503 without a model, and without a service', async () => {
    await using engine = await openServicesEngine({ ollama: { models: [{ name: 'llama3.2:latest' }] } })
    const none = { status: 503, json: { code: 'no_embedder', error: containing('No embedding model') } }
    expect(await engine.embed({ texts: ['fox'] })).toMatchObject(none)
    await Promise.all([engine.ollama.close(), engine.lmStudio.close()])
    expect(await engine.embed({ texts: ['fox'] })).toMatchObject(none)
  })

  /** Answers that are right all the same, and one that never comes: below. */
  const FINE: readonly string[] = ['reversed', 'no_index', 'stall'] satisfies EmbeddingQuirk[]
  const faults = Object.keys(EMBEDDING_QUIRKS).filter((quirk) => !FINE.includes(quirk))

  it.each(faults)(
    '502 when the service has the fault %s, in words that the page can read; then it works again',
    async (quirk) => {
      await using engine = await openServicesEngine(withModels(MINILM))
      engine.ollama.embeddings.quirks = { [quirk]: true }
      const failed = await engine.embed({ texts: ['fox', 'dog'] })
      expect(failed).toMatchObject({ status: 502, json: { error: containing('failed') } })
      // FC-02 e
      expect(failed.headers).toMatchObject({ 'access-control-allow-origin': SHOP, vary: containing('Origin') })
      engine.ollama.embeddings.quirks = {}
      expect(await engine.embed({ texts: ['fox', 'dog'] })).toMatchObject({ status: 200 })
    },
  )

  it('names the one text that the service refused', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    engine.ollama.embeddings.failOn = ['text 201']
    expect(await engine.embed({ texts: texts(256) })).toMatchObject({
      status: 502,
      json: { error: containing('Text 202 of 256') },
    })
  })

  it('502 when the service goes away, then 503, and works as soon as it is back', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    await engine.embed({ texts: ['fox'] })
    await engine.ollama.close()
    expect((await engine.embed({ texts: ['fox'] })).status).toBe(502)
    await expect.poll(async () => (await engine.embed({ texts: ['fox'] })).status).toBe(503)
    expect(await engine.health()).not.toHaveProperty('embed')
    const models = [{ name: MINILM, capabilities: ['embedding'] }]
    const back = await scriptedOllama({ port: engine.ollama.port, models })
    await expect.poll(async () => (await engine.embed({ texts: ['fox'] })).status).toBe(200)
    await back.close()
  })

  it('asks the service no longer once the page has left', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    engine.ollama.embeddings.quirks = { stall: true }
    const leave = new AbortController()
    const asked = engine.embed({ texts: texts(256) }, leave.signal)
    await engine.ollama.embeddings.requested(1)
    leave.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => engine.ollama.embeddings.hungUp, { interval: 5 }).toBe(1)
    expect(engine.ollama.embeddings.requests).toHaveLength(1)
  })
})

describe('"GET /health names the current model in embed"', () => {
  it('the one whose vectors a page would get: "Keep model with them, and rebuild when it changes"', async () => {
    await using engine = await openServicesEngine(withModels(MINILM, NOMIC))
    await expect.poll(() => engine.health()).toMatchObject({ embed: MINILM })
    expect(await engine.embed({ texts: ['fox'] })).toMatchObject({ json: { model: MINILM } })
    await engine.change({ embed: { provider: 'ollama', model: NOMIC } })
    await expect.poll(() => engine.health()).toMatchObject({ embed: NOMIC })
    expect(await engine.embed({ texts: ['fox'] })).toMatchObject({ json: { model: NOMIC } })
  })

  it('awaits no network: it answers while services are asked, and names the model once they have answered', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    engine.ollama.ollama = { list_stalls: true }
    engine.lmStudio.lmStudio = { list_stalls: true }
    using time = livedTime()
    for (let count = 0; count < 20; count += 1) expect(await engine.health()).not.toHaveProperty('embed')
    // A look that nothing answers takes seconds.
    expect(time.ms).toBeLessThan(2_500)
    expect(engine.ollama.requests.filter((line) => line.includes('/api/tags')).length).toBeLessThanOrEqual(1)
  })

  it('knows it a moment after the first question', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    expect(await engine.health()).not.toHaveProperty('embed')
    await expect.poll(() => engine.health(), { interval: 5 }).toMatchObject({ embed: MINILM })
  })

  it('only to pages that are connected', async () => {
    await using engine = await openServicesEngine(withModels(MINILM))
    await expect.poll(() => engine.health()).toMatchObject({ embed: MINILM })
    const { token } = engine.site
    for (const call of [{}, { origin: SHOP }, { origin: SHOP, token: 'wrong' }, { origin: EVIL, token }])
      expect((await engine.test.call('/health', call)).json).not.toHaveProperty('embed')
  })
})
