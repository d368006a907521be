/** The app's view of AIs, models, sites' choices, embeddings and saved services, with services that answer. */
import { DEMO_AGENT_NAME } from '@leuria/agent-demo'
import { adminAi, type AdminAi } from '@leuria/protocol'
import { scriptedModelServer } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { EVIL, SHOP } from './engine.fixture.js'
import { openServicesEngine, type ServicesEngine } from './services-engine.fixture.js'
import { connectSite } from './site.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'
const containing = (text: string): unknown => expect.stringContaining(text)

let engine: ServicesEngine
beforeEach(async () => {
  engine = await openServicesEngine({
    engine: { mode: 'app', adminToken: ADMIN },
    ollama: {
      models: [
        { name: 'llama3.2:latest', capabilities: ['completion', 'tools'] },
        { name: 'nomic-embed-text:latest', capabilities: ['embedding'] },
      ],
    },
    lmStudio: { models: [{ key: 'qwen3-vl', vision: true, params: '30B' }] },
  })
})
afterEach(() => engine[Symbol.asyncDispose]())

const admin = (path: string, body?: unknown, method?: string) =>
  engine.test.call(`/admin${path}`, {
    token: ADMIN,
    origin: 'tauri://localhost',
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  })

async function listAis(): Promise<AdminAi[]> {
  return z.parse(z.object({ ais: z.array(adminAi) }), (await admin('/ais')).json).ais
}

describe('GET /admin/ais', () => {
  it('has the default first, then what can be used', async () => {
    await engine.lmStudio.close()
    expect(await listAis()).toEqual([
      { id: 'demo', kind: 'agent', name: DEMO_AGENT_NAME, default: true, ready: true },
      {
        id: 'llm:ollama',
        kind: 'llm',
        name: 'Ollama',
        default: false,
        ready: true,
        provider: { id: 'ollama', kind: 'ollama', name: 'Ollama' },
        model: 'llama3.2:latest',
        local: true,
      },
      expect.objectContaining({ id: 'llm:mine', model: 'test-model' }),
    ])
  })

  it('says why the default cannot be used', async () => {
    await engine.lmStudio.close()
    await admin('/agent', { id: 'llm:lmstudio' })
    expect((await listAis())[0]).toMatchObject({
      id: 'llm:lmstudio',
      default: true,
      ready: false,
      problem: containing('LM Studio'),
    })
  })
})

describe('models', () => {
  it('are listed for an AI, without those that only embed', async () => {
    expect((await admin('/models?agent=llm:ollama')).json).toMatchObject({
      agent: 'llm:ollama',
      models: { current: 'llama3.2:latest', options: [{ id: 'llama3.2:latest', name: 'llama3.2' }] },
    })
    expect((await admin('/models')).json).toEqual({ agent: 'demo', models: null })
    expect((await admin('/models?agent=llm:nobody')).status).toBe(404)
  })

  it('are chosen for an AI, which ends the sessions on it, and taken back', async () => {
    await engine.test.engine.grants.choose(SHOP, { agent: 'llm:ollama' })
    const session = await engine.site.prepare()
    const other = await (await connectSite(engine.test, EVIL)).prepare()
    expect(await admin('/agent/model', { id: 'llm:ollama', model: 'phi4' })).toMatchObject({
      status: 200,
      json: { ok: true },
    })
    await session.until('cancelled')
    expect(await other.info()).toMatchObject({ status: 'pending_approval' })
    expect(await engine.health()).toMatchObject({ agent: 'Ollama · phi4' })
    await admin('/agent/model', { id: 'llm:ollama', model: null })
    await listAis()
    expect(await engine.health()).toMatchObject({ agent: 'Ollama · llama3.2' })
  })

  it.each([
    [{ id: 'demo', model: 'x' }, 400],
    [{ id: 'llm:ollama/a', model: 'x' }, 400],
    [{ id: 'llm:ollama', model: '' }, 400],
    [{ id: 'llm:ollama' }, 400],
    [{ id: 'llm:nobody', model: 'x' }, 404],
  ])('are not chosen by %j: %i', async (body, status) => {
    expect((await admin('/agent/model', body)).status).toBe(status)
  })
})

describe("a site's AI and model", () => {
  it('are chosen, followed by its next session, and taken back by the default', async () => {
    expect((await admin('/sites/agent', { origin: SHOP, agent: 'llm:ollama' })).json).toEqual({
      origin: SHOP,
      agent: 'llm:ollama',
      signIn: null,
    })
    expect((await admin('/sites/model', { origin: SHOP, model: 'phi4' })).json).toEqual({
      origin: SHOP,
      agent: 'llm:ollama',
      model: 'phi4',
    })
    expect(await engine.health()).toMatchObject({ agent: 'Ollama · phi4' })
    expect((await admin('/sites/agent', { origin: SHOP, agent: 'demo' })).json).toMatchObject({ agent: null })
    expect(await engine.health()).toMatchObject({ agent: DEMO_AGENT_NAME })
    expect((await admin('/sites/model', { origin: SHOP, model: null })).json).toEqual({
      origin: SHOP,
      agent: 'demo',
      model: null,
    })
  })

  it.each([
    ['/sites/agent', { origin: EVIL, agent: 'demo' }, 404],
    ['/sites/agent', { origin: SHOP, agent: 'llm:nobody' }, 404],
    ['/sites/agent', { origin: 'file:///', agent: 'demo' }, 400],
    ['/sites/agent', { origin: SHOP }, 400],
    ['/sites/model', { origin: EVIL, model: 'x' }, 404],
  ] as const)('%s %j: %i', async (...[path, body, status]) => {
    expect((await admin(path, body)).status).toBe(status)
    expect(engine.test.engine.grants.get(SHOP)).not.toHaveProperty('agent')
  })
})

it('POST /admin/fit names the cheapest AI that is enough, and why', async () => {
  const needs = { images: true, effort: 'standard' }
  const { json } = await admin('/fit', { needs })
  expect(json).toMatchObject({
    needs,
    recommended: { agent: 'llm:lmstudio', model: 'qwen3-vl', cost: 'free', reason: containing('see images') },
  })
  expect(json).toMatchObject({
    ais: [{ id: 'demo', verdict: 'short' }, { id: 'llm:lmstudio' }, { id: 'llm:ollama', verdict: 'short' }, {}],
  })
  expect((await admin('/fit', { origin: SHOP })).json).toMatchObject({ needs: null, recommended: null })
})

describe('/admin/embeddings', () => {
  it('tells what is chosen and what could be, and changes it', async () => {
    const model = { provider: 'ollama', model: 'nomic-embed-text:latest' }
    expect((await admin('/embeddings')).json).toEqual({
      choice: 'auto',
      current: model,
      models: [{ ...model, loaded: false }],
    })
    for (const choice of ['off', model, 'auto']) {
      expect(await admin('/embeddings', { choice })).toMatchObject({ status: 200, json: { choice } })
      expect((await admin('/embeddings')).json).toMatchObject({ choice, current: choice === 'off' ? null : model })
    }
    for (const choice of ['on', null, {}, { provider: 'ollama' }, { provider: '', model: 'x' }])
      expect((await admin('/embeddings', { choice })).status).toBe(400)
  })
})

describe('/admin/providers', () => {
  it('saves a service that answers, shows it without its key, and removes it', async () => {
    const server = await scriptedModelServer({ key: 'sk-secret', models: ['big', 'text-embedding-3-small'] })
    const added = await admin('/providers', { name: 'My API', baseUrl: server.url, apiKey: 'sk-secret' })
    expect(added).toMatchObject({
      status: 200,
      json: { id: 'my-api', name: 'My API', baseUrl: server.url, models: ['big'] },
    })
    // Again without the key: at the same address it stays.
    expect((await admin('/providers', { id: 'my-api', name: 'Mine too', baseUrl: server.url })).status).toBe(200)
    const listed = await admin('/providers')
    expect(listed.text).not.toContain('sk-secret')
    expect(listed.json).toMatchObject({
      providers: [
        { id: 'lmstudio', running: true },
        { id: 'ollama', models: ['llama3.2:latest'] },
        { id: 'mine' },
        { id: 'my-api', name: 'Mine too', hasApiKey: true, hasHeaders: false, running: true, models: ['big'] },
      ],
    })
    expect((await admin('/providers?id=my-api', undefined, 'DELETE')).json).toEqual({ removed: true })
    expect((await admin('/providers?id=my-api', undefined, 'DELETE')).json).toEqual({ removed: false })
    await server.close()
    expect((await admin('/providers')).json).toMatchObject({ providers: { length: 3 } })
  })

  it('gives a saved key to no other address', async () => {
    const own = await scriptedModelServer({ key: 'sk-secret' })
    const other = await scriptedModelServer({ key: 'sk-secret' })
    await admin('/providers', { name: 'api', baseUrl: own.url, apiKey: 'sk-secret' })
    expect(await admin('/providers', { name: 'api', baseUrl: other.url })).toMatchObject({ status: 422 })
    await Promise.all([own.close(), other.close()])
  })

  it.each([
    [{ name: 'x', baseUrl: 'ftp://x' }, 400],
    [{ name: '日本', baseUrl: 'http://127.0.0.1:9' }, 400],
    [{ name: 'x', baseUrl: 'http://127.0.0.1:9', apiKey: 'a b' }, 400],
    [{ name: 'x' }, 400],
    [{ name: 'x', baseUrl: 'http://127.0.0.1:9' }, 422],
  ])('refuses %j with %i and saves nothing', async (body, status) => {
    expect(await admin('/providers', body)).toMatchObject({ status, json: { error: expect.any(String) as unknown } })
    expect((await admin('/providers')).json).toMatchObject({ providers: { length: 3 } })
  })
})

it('none of it is there for a connected page or a program without the token', async () => {
  for (const path of ['/ais', '/models', '/embeddings', '/providers']) {
    expect((await engine.test.call(`/admin${path}`, { origin: SHOP, token: engine.site.token })).status).toBe(403)
    expect((await engine.test.call(`/admin${path}`)).status).not.toBe(200)
  }
})
