import { describe, expect, it } from 'vitest'
import { fakeLanguageModel } from './fake-language-model.js'
import { languageModelContract } from './language-model-contract.js'

languageModelContract('the fake', () => Promise.resolve(fakeLanguageModel().api))

async function read(stream: ReadableStream<unknown>): Promise<unknown[]> {
  const pieces: unknown[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

describe('the fake of a browser with a model', () => {
  it('downloads only in a click, and tells how far it is', async () => {
    const fake = fakeLanguageModel({ availability: 'downloadable' })
    await expect(fake.api.create()).rejects.toMatchObject({ name: 'NotAllowedError' })
    fake.userActivation = true
    const seen: unknown[] = []
    const monitor = (target: EventTarget) => {
      target.addEventListener('downloadprogress', (event) => seen.push('loaded' in event && event.loaded))
    }
    const created = fake.api.create({ monitor })
    fake.progress(0.5)
    expect(await fake.api.availability()).toBe('downloading')
    fake.finishDownload()
    expect(await (await created).prompt('hi')).toBe('OK')
    expect(seen).toEqual([0.5, 1])
  })

  it('streams pieces, or in old browsers the whole text again and again', async () => {
    const answers = [['a', 'b']]
    const young = await fakeLanguageModel({ answers }).api.create()
    expect(await read(young.promptStreaming('hi'))).toEqual(['a', 'b'])
    const old = await fakeLanguageModel({ answers, old: true }).api.create()
    expect(await read(old.promptStreaming('hi'))).toEqual(['a', 'ab'])
    expect(old.append).toBeUndefined()
  })

  it('forgets the oldest when it is full, keeps the system prompt, and refuses what never fits', async () => {
    const fake = fakeLanguageModel({ contextWindow: 10 })
    const session = await fake.api.create({ initialPrompts: [{ role: 'system', content: 'abc' }] })
    await session.prompt('12345')
    await session.prompt('67')
    expect(session.history.map(({ content }) => content)).toEqual(['abc', 'OK', '67', 'OK'])
    await expect(session.prompt('x'.repeat(11))).rejects.toMatchObject({ name: 'QuotaExceededError' })
  })

  it('carries calls out, or hands them over', async () => {
    const answers = [[{ call: { name: 'f', args: { a: 1 } } }, 'done']]
    const called: unknown[] = []
    const execute = (args: unknown) => Promise.resolve(String(called.push(args)))
    const closed = await fakeLanguageModel({ answers }).api.create({ tools: [{ name: 'f', execute }] })
    expect([await closed.prompt('go'), called]).toEqual(['done', [{ a: 1 }]])
    const open = await fakeLanguageModel({ answers, openLoop: true }).api.create()
    const call = { type: 'tool-call', value: { callId: 'c1', name: 'f', arguments: { a: 1 } } }
    expect(await open.prompt('go')).toEqual([{ type: 'text', value: 'done' }, call])
  })
})
