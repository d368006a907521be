/** The page's Embeddings section, sentence by sentence, as far as it isn't the route's. Quotes are the page's words. */
import { createOllamaService } from '@leuria/agent-ollama'
import { embedBody, EngineError, parseBody } from '@leuria/protocol'
import { fakeClock, vectorOf } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embedder, EmbeddingsStage, nobody, NOMIC } from './stage.fixture.js'

let stage: EmbeddingsStage
beforeEach(() => {
  stage = new EmbeddingsStage()
})
afterEach(async () => stage.close())

const embed = (texts: readonly string[], kind?: 'query' | 'document', signal = nobody()) =>
  stage.embeddings.embed({ texts, ...(kind === undefined ? {} : { kind }) }, signal)
const texts = (count: number): string[] => Array.from({ length: count }, (_none, at) => `text ${at}`)
const failureOf = async (work: Promise<unknown>): Promise<EngineError> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error as EngineError,
  )

describe('"returns { model, vectors }: one vector per text, in order"', () => {
  it.each([1, 2, 31, 32, 33, 256])('of %d texts', async (count) => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    expect(await embed(texts(count))).toEqual({ model: 'all-minilm:latest', vectors: texts(count).map(vectorOf) })
    expect(server.embeddings.requests).toHaveLength(Math.ceil(count / 32))
  })

  it.each([1, 33])('of %d texts, as JSON too, whatever the model’s name is', async (count) => {
    await stage.ollama([embedder('„möbel“-embed:latest')])
    const json = Buffer.from(await stage.embeddings.embedToJson({ texts: texts(count) }, nobody())).toString()
    expect(JSON.parse(json)).toEqual({ model: '„möbel“-embed:latest', vectors: texts(count).map(vectorOf) })
  })

  it.each(['reversed', 'no_index'] as const)('when the service answers with them %s', async (quirk) => {
    await stage.lmStudio([{ key: NOMIC, type: 'embedding' }], { embedding: { [quirk]: true } })
    expect((await embed(texts(5))).vectors).toEqual(texts(5).map((text) => vectorOf(`search_document: ${text}`)))
  })

  it('in batches that hold no more characters than the service takes well', async () => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    const long = texts(20).map((text) => text.padEnd(8_000, 'x'))
    expect((await embed(long)).vectors).toEqual(long.map(vectorOf))
    const sizes = server.embeddings.requests.map(({ input }) => input.join('').length)
    expect(sizes).toEqual([64_000, 64_000, 32_000])
  })
})

describe('"The engine adds the prefix their model card asks for" (FC-20)', () => {
  it.each([
    ['query', 'search_query: fox'],
    ['document', 'search_document: fox'],
    [undefined, 'search_document: fox'],
  ] as const)('for nomic-embed, kind %s', async (kind, sent) => {
    const server = await stage.lmStudio([{ key: NOMIC, type: 'embedding' }])
    expect((await embed(['fox'], kind)).model).toBe(NOMIC)
    expect(server.embeddings.requests).toEqual([{ model: NOMIC, input: [sent] }])
  })

  it.each(['query', 'document', undefined] as const)('none for other families, kind %s', async (kind) => {
    const server = await stage.ollama([embedder('all-minilm')])
    expect((await embed(['fox'], kind)).model).toBe('all-minilm')
    expect(server.embeddings.requests).toEqual([{ model: 'all-minilm', input: ['fox'] }])
  })

  it('"kind defaults to document", and another kind is a malformed request', () => {
    expect(parseBody(embedBody, { texts: ['fox'] }).kind).toBe('document')
    expect(() => parseBody(embedBody, { texts: ['fox'], kind: 'other' })).toThrow(EngineError)
  })
})

describe('"The model is an embedding model in LM Studio or Ollama on this computer"', () => {
  it.each(['ollama', 'lmstudio'])('in %s', async (kind) => {
    if (kind === 'ollama') await stage.ollama([{ name: 'chat:1b' }, embedder('all-minilm:latest')])
    else await stage.lmStudio([{ key: 'chat' }, { key: 'all-minilm:latest', type: 'embedding' }])
    expect((await embed(['fox'])).model).toBe('all-minilm:latest')
    expect(stage.embeddings.current()).toEqual({ provider: kind, model: 'all-minilm:latest' })
  })

  it('never a chat model', async () => {
    await stage.ollama([{ name: 'llama3.2:latest' }])
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder' })
  })

  it('never an OpenAI-compatible provider, wherever it is', async () => {
    const server = await stage.openAi()
    await stage.services[0]?.refresh()
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder' })
    stage.choice = { provider: 'api', model: 'text-embedding-3-small' }
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder' })
    expect(server.requests.filter((request) => request.startsWith('POST'))).toEqual([])
  })
})

describe('"Services reached over the network are never used"', () => {
  it.each(['192.168.1.5', 'ollama.example', '0.0.0.0', '127.0.0.1.example', '[fd00::1]'])('not at %s', async (host) => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    stage.services.splice(0)
    const baseUrl = server.url.replace('127.0.0.1', host)
    stage.add(createOllamaService({ provider: { id: 'ollama', name: 'Ollama', baseUrl }, clock: fakeClock() }))
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder' })
    expect(stage.embeddings.models()).toEqual([])
    expect(server.requests).toEqual([])
  })

  it('nor a model that Ollama has elsewhere', async () => {
    const server = await stage.ollama([embedder('cloud-embed', { remoteHost: 'https://ollama.com:443' })])
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder' })
    expect(server.embeddings.requests).toEqual([])
  })

  it.each(['localhost', '127.0.0.1'])('but at %s', async (host) => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    stage.services.splice(0)
    const baseUrl = server.url.replace('127.0.0.1', host)
    stage.add(createOllamaService({ provider: { id: 'ollama', name: 'Ollama', baseUrl }, clock: fakeClock() }))
    expect((await embed(['fox'])).model).toBe('all-minilm:latest')
  })
})

describe('"It is the one the visitor chose, or else the first one found"', () => {
  beforeEach(async () => {
    await stage.lmStudio([
      { key: 'b-embed', type: 'embedding' },
      { key: 'a-embed', type: 'embedding', instances: ['a-embed'] },
    ])
    await stage.ollama([embedder('c-embed:latest')])
    await stage.embeddings.refresh()
  })

  it('the first: services in their order, loaded models first', () => {
    expect(stage.embeddings.models()).toEqual([
      { provider: 'lmstudio', model: 'a-embed', loaded: true },
      { provider: 'lmstudio', model: 'b-embed', loaded: false },
      { provider: 'ollama', model: 'c-embed:latest', loaded: false },
    ])
    expect(stage.embeddings.current()).toEqual({ provider: 'lmstudio', model: 'a-embed' })
  })

  it('the chosen one, from the moment of the choice', async () => {
    stage.choice = { provider: 'ollama', model: 'c-embed:latest' }
    expect(stage.embeddings.current()).toEqual({ provider: 'ollama', model: 'c-embed:latest' })
    expect((await embed(['fox'])).model).toBe('c-embed:latest')
    stage.choice = { provider: 'lmstudio', model: 'b-embed' }
    expect((await embed(['fox'])).model).toBe('b-embed')
  })

  it('the chosen one without its tag', () => {
    stage.choice = { provider: 'ollama', model: 'c-embed' }
    expect(stage.embeddings.current()?.model).toBe('c-embed:latest')
  })

  it.each([
    { provider: 'ollama', model: 'gone' },
    { provider: 'lmstudio', model: 'c-embed:latest' },
    { provider: 'nobody', model: 'a-embed' },
  ])('never another in its place ($provider/$model)', async (choice) => {
    stage.choice = choice
    expect(stage.embeddings.current()).toBeUndefined()
    const failure = await failureOf(embed(['fox']))
    expect(failure).toMatchObject({ code: 'no_embedder', status: 503 })
    expect(failure.message).toContain(choice.model)
  })
})

describe('"The visitor can also turn embeddings off"', () => {
  it('and then nothing is even asked', async () => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    stage.choice = 'off'
    expect(await failureOf(embed(['fox']))).toMatchObject({
      code: 'no_embedder',
      message: 'Embeddings are turned off.',
    })
    expect(stage.embeddings.current()).toBeUndefined()
    expect(server.embeddings.requests).toEqual([])
  })

  it('and on again', async () => {
    await stage.ollama([embedder('all-minilm:latest')])
    stage.choice = 'off'
    await failureOf(embed(['fox']))
    stage.choice = 'auto'
    expect((await embed(['fox'])).model).toBe('all-minilm:latest')
  })
})

describe('"At most 256 texts per request, each cut to 8,000 characters. Malformed requests get 400"', () => {
  it.each([
    ['256 texts', { texts: texts(256) }, true],
    ['257 texts', { texts: texts(257) }, false],
    ['no texts', { texts: [] }, false],
    ['none at all', {}, false],
    ['a text that is none', { texts: ['a', 1] }, false],
    ['an empty text', { texts: [''] }, true],
    ['null', null, false],
  ])('%s', (_name, ...[body, right]) => {
    if (right) expect(parseBody(embedBody, body).kind).toBe('document')
    else expect(() => parseBody(embedBody, body)).toThrow(expect.objectContaining({ status: 400 }) as Error)
  })

  it.each([
    ['7,999 characters stay', 'x'.repeat(7_999), 'x'.repeat(7_999)],
    ['8,000 characters stay', 'x'.repeat(8_000), 'x'.repeat(8_000)],
    ['8,001 are cut', 'x'.repeat(8_001), 'x'.repeat(8_000)],
    ['a pair at the end stays whole', `${'x'.repeat(7_998)}🦊`, `${'x'.repeat(7_998)}🦊`],
    ['a pair that the cut would split goes whole', `${'x'.repeat(7_999)}🦊`, 'x'.repeat(7_999)],
    ['half a pair alone becomes a sign every service can read', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ])('%s', async (_name, ...[text, sent]) => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    await embed([text])
    expect(server.embeddings.requests[0]?.input).toEqual([sent])
  })
})

describe('"No local embedding model: 503 no_embedder"', () => {
  it('when there is no service', async () => {
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder', status: 503 })
  })

  it('when the service is not running, and a model as soon as it is', async () => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    await server.close()
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'no_embedder', status: 503 })
    const back = await stage.ollama([embedder('all-minilm:latest')], { port: server.port })
    expect((await embed(['fox'])).model).toBe('all-minilm:latest')
    expect(back.embeddings.requests).toHaveLength(1)
  })

  it('without waiting for a service that does not answer longer than a look may take', async () => {
    const clock = fakeClock()
    stage.clock = clock
    await stage.ollama([embedder('all-minilm:latest')], { ollama: { list_stalls: true } })
    const failure = failureOf(embed(['fox']))
    await clock.advanceAsync(5_000)
    expect(await failure).toMatchObject({ code: 'no_embedder' })
  })
})

describe('"The local service failed: 502"', () => {
  it.each([
    ['fail_all', 'out of memory'],
    ['error_in_200', 'the model was unloaded'],
    ['not_json', 'something else than vectors'],
    ['one_missing', 'vectors for'],
    ['null_numbers', 'no usable numbers'],
    ['drop', 'closed the connection'],
  ] as const)('%s', async (quirk, words) => {
    await stage.ollama([embedder('all-minilm:latest')], { embedding: { [quirk]: true } })
    const failure = await failureOf(embed(texts(3)))
    expect(failure).toMatchObject({ code: 'embedder_failed', status: 502 })
    expect(failure.message).toContain(words)
    expect(failure.message).not.toMatch(/Text \d/)
  })

  it('when it does not answer in two minutes', async () => {
    const clock = fakeClock()
    stage.clock = clock
    const server = await stage.ollama([embedder('all-minilm:latest')], { embedding: { stall: true } })
    const failure = failureOf(embed(['fox']))
    await server.embeddings.requested(1)
    await clock.advanceAsync(120_000)
    expect(await failure).toMatchObject({
      code: 'embedder_failed',
      message: expect.stringContaining('120 s') as string,
    })
  })

  it.each([
    { at: 0, count: 2 },
    { at: 1, count: 2 },
    { at: 17, count: 100 },
    { at: 99, count: 100 },
  ])('names the one text that the model does not take ($at of $count)', async ({ at, count }) => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    server.embeddings.failOn = [`text ${at}`]
    const failure = await failureOf(embed(texts(count)))
    expect(failure.message).toMatch(new RegExp(`^Text ${at + 1} of ${count} could not be embedded: .*too hard`))
    expect(server.embeddings.requests.length).toBeLessThan(20)
  })

  it('names the first when several are not taken', async () => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    server.embeddings.failOn = ['text 9', 'text 4', 'text 30']
    expect((await failureOf(embed(texts(40)))).message).toMatch(/^Text 5 of 40 /)
  })

  it('makes the next one look for a model anew', async () => {
    const server = await stage.ollama([embedder('a-embed:latest'), embedder('b-embed:latest')])
    await stage.embeddings.refresh()
    server.inventory = [embedder('b-embed:latest')]
    expect(await failureOf(embed(['fox']))).toMatchObject({ code: 'embedder_failed' })
    await stage.embeddings.refresh()
    expect((await embed(['fox'])).model).toBe('b-embed:latest')
  })
})

describe('cancelling', () => {
  it('ends the request at once when the page leaves', async () => {
    const server = await stage.ollama([embedder('all-minilm:latest')], { embedding: { stall: true } })
    const page = new AbortController()
    const failure = failureOf(embed(['fox'], 'query', page.signal))
    await server.embeddings.requested(1)
    page.abort()
    expect(await failure).toBeInstanceOf(EngineError)
    while (server.embeddings.hungUp === 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('sends no further batch', async () => {
    const server = await stage.ollama([embedder('all-minilm:latest')])
    const page = new AbortController()
    const failure = failureOf(embed(texts(256), 'query', page.signal))
    await server.embeddings.requested(1)
    page.abort()
    await failure
    const sent = server.embeddings.requests.length
    await stage.embeddings.refresh()
    expect(server.embeddings.requests.length).toBe(sent)
    expect(sent).toBeLessThan(8)
  })

  it('ends the looking for a model too', async () => {
    await stage.ollama([embedder('all-minilm:latest')], { ollama: { list_stalls: true } })
    expect(await failureOf(embed(['fox'], 'query', AbortSignal.abort()))).toBeInstanceOf(EngineError)
  })
})

describe('"GET /health names the current model in embed"', () => {
  it('from memory: nothing waits for a service, and what changed is found in the background', async () => {
    const clock = fakeClock()
    stage.clock = clock
    const server = await stage.ollama([embedder('all-minilm:latest')])
    expect(stage.embeddings.current()).toBeUndefined()
    await stage.embeddings.refresh()
    expect(stage.embeddings.current()?.model).toBe('all-minilm:latest')
    server.inventory = [embedder('bge-m3:latest')]
    clock.advance(9_999)
    const asked = server.requests.length
    expect(stage.embeddings.current()?.model).toBe('all-minilm:latest')
    expect(server.requests.length).toBe(asked)
    clock.advance(1)
    expect(stage.embeddings.current()?.model).toBe('all-minilm:latest')
    await stage.embeddings.refresh()
    expect(stage.embeddings.current()?.model).toBe('bge-m3:latest')
  })
})
