import { AgentError, type ModelInfo, type ModelSnapshot } from '@leuria/agent'
import { fakeClock, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { createModelList, isLoopbackUrl, looksLikeEmbedder } from './index.js'

const model = (id: string): ModelInfo => ({ id, name: id, type: 'chat', local: true })

/** A list whose looks a test answers by hand. */
function listByHand() {
  const clock = fakeClock()
  const looks: { resolve: (models: ModelInfo[]) => void; reject: (error: Error) => void; signal: AbortSignal }[] = []
  const list = createModelList({
    clock,
    discover: (signal) => new Promise((resolve, reject) => looks.push({ resolve, reject, signal })),
  })
  const seen: ModelSnapshot[] = []
  list.subscribe((snapshot) => seen.push(snapshot))
  return { clock, looks, list, seen }
}

describe('createModelList', () => {
  it('tells listeners of changes only', async () => {
    const { list, looks, seen } = listByHand()
    for (const ids of [['a'], ['a'], ['a', 'b']]) {
      const look = list.refresh()
      looks.at(-1)?.resolve(ids.map(model))
      await look
    }
    expect(seen.map(({ models }) => models.length)).toEqual([1, 2])
  })

  it('stops telling whoever left', async () => {
    const { list, looks } = listByHand()
    let told = 0
    list.subscribe(() => (told += 1))()
    const look = list.refresh()
    looks[0]?.resolve([model('a')])
    await look
    expect(told).toBe(0)
  })

  it('looks once, however often it is asked meanwhile', () => {
    const { list, looks } = listByHand()
    for (let at = 0; at < 5; at += 1) list.snapshot()
    expect(looks).toHaveLength(1)
  })

  it('gives a look 5 s and ends it then', async () => {
    const { list, looks, clock } = listByHand()
    const look = list.refresh()
    clock.advance(4_999)
    expect(looks[0]?.signal.aborted).toBe(false)
    clock.advance(1)
    expect(looks[0]?.signal.aborted).toBe(true)
    expect(await look).toMatchObject({ state: 'unavailable' })
  })

  it.each([
    { code: 'timed_out', state: 'running', left: 1 },
    { code: 'unavailable', state: 'unavailable', left: 0 },
    { code: 'signed_out', state: 'unavailable', left: 0 },
    { code: 'failed', state: 'unavailable', left: 0 },
  ] as const)('after $code it is $state', async ({ code, state, left }) => {
    const { list, looks } = listByHand()
    const first = list.refresh()
    looks[0]?.resolve([model('a')])
    await first
    const second = list.refresh()
    looks[1]?.reject(new AgentError(code, 'The reason.'))
    const found = await second
    expect(found).toMatchObject({ state, problem: 'The reason.' })
    expect(found.models).toHaveLength(left)
  })

  it('keeps the words of a foreign error to itself', async () => {
    const { list, looks } = listByHand()
    const look = list.refresh()
    looks[0]?.reject(new Error('s3cret'))
    expect(JSON.stringify(await look)).not.toContain('s3cret')
  })

  it('changes nothing after it was closed, and ends the look under way', async () => {
    const { list, looks, seen, clock } = listByHand()
    const look = list.refresh()
    list.close()
    expect(looks[0]?.signal.aborted).toBe(true)
    looks[0]?.resolve([model('a')])
    expect(await look).toEqual({ state: 'unknown', models: [] })
    await settle()
    expect(seen).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('isLoopbackUrl', () => {
  it.each([
    'http://127.0.0.1:1/v1',
    'http://127.9.9.9',
    'https://localhost:1',
    'http://LOCALHOST',
    'http://[::1]:5/',
    'http://2130706433/',
  ])('%s is this computer', (url) => {
    expect(isLoopbackUrl(url)).toBe(true)
  })
  it.each([
    'http://0.0.0.0:1',
    'http://192.168.0.1',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://shop.localhost',
    'http://127.0.0.1@evil.example',
    'http://[::2]',
    'http://[::ffff:127.0.0.1]',
    'file:///127.0.0.1',
    'ws://127.0.0.1',
    '127.0.0.1',
    '',
  ])('%j is not', (url) => {
    expect(isLoopbackUrl(url)).toBe(false)
  })
})

describe('looksLikeEmbedder', () => {
  it.each([
    'nomic-embed-text',
    'text-embedding-3-small',
    'intfloat/e5-large',
    'BGE-m3',
    'gte-qwen2',
    'all-minilm:latest',
    'embeddinggemma',
  ])('%s does', (id) => {
    expect(looksLikeEmbedder(id)).toBe(true)
  })
  it.each(['llama3.2', 'gpt-4o', 'e500', 'delegate-7b', 'one5-chat'])('%s does not', (id) => {
    expect(looksLikeEmbedder(id)).toBe(false)
  })
})
