/** A disk that is full: the app's user is told so in words, nothing changes, nothing is lost, and it works again later. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeFs, type StateFs } from '@leuria/state'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freshNonce, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'

let isFull: boolean
let test: TestEngine
const fs: StateFs = {
  ...nodeFs,
  open: (path, mode) => {
    if (isFull && mode !== 'read') return Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    return nodeFs.open(path, mode)
  },
}
beforeEach(async () => {
  isFull = false
  test = await openTestEngine({ mode: 'app', adminToken: ADMIN, fs })
})
afterEach(async () => {
  isFull = false
  await test[Symbol.asyncDispose]()
})

const admin = (path: string, body?: unknown, method?: string) =>
  test.call(`/admin${path}`, { token: ADMIN, ...(body === undefined ? {} : { body }), ...(method && { method }) })

const FULL = { status: 500, json: { error: expect.stringMatching(/no space left .* Free some space/) as unknown } }

it('keeps every setting as it was', async () => {
  await test.engine.grants.issue({ origin: SHOP })
  await admin('/limits', { origin: SHOP, sessions: 2 })
  const files = () => Promise.all(['grants.json', 'limits.json'].map((name) => readFile(join(test.home, name), 'utf8')))
  const before = await files()
  isFull = true
  const provider = { name: 'x', baseUrl: 'http://127.0.0.1:9' }
  for (const [path, body] of [
    ['/agent/model', { id: 'llm:ollama', model: 'x' }],
    ['/sites/model', { origin: SHOP, model: 'x' }],
    ['/limits', { origin: SHOP, sessions: 1 }],
    ['/embeddings', { choice: 'off' }],
  ] as const)
    expect(await admin(path, body), path).toMatchObject(FULL)
  // It is tried before it is saved.
  expect(await admin('/providers', provider)).toMatchObject({ status: 422 })
  expect(await admin(`/sites?origin=${SHOP}`, undefined, 'DELETE')).toMatchObject(FULL)
  expect(await files()).toEqual(before)
  expect(test.engine.grants.has(SHOP)).toBe(true)
  isFull = false
  expect(await admin('/embeddings', { choice: 'off' })).toMatchObject({ status: 200 })
})

it('leaves a question open that was answered with Yes, so that it can be answered again', async () => {
  const { json } = await admin('/pairing/link', { origin: SHOP, nonce: freshNonce() })
  const id =
    typeof json === 'object' && json !== null && 'requestId' in json ? String(json.requestId) : expect.fail('no id')
  isFull = true
  expect(await admin(`/pairing/${id}`, { allow: true })).toMatchObject(FULL)
  expect((await admin('/pairing')).json).toMatchObject({ requests: [{ requestId: id }] })
  isFull = false
  expect(await admin(`/pairing/${id}`, { allow: true })).toMatchObject({ status: 200 })
  expect(test.engine.grants.has(SHOP)).toBe(true)
})
