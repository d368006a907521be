/** What the Prompt API's specification promises and the client relies on: every `LanguageModel`, the fake included. */
import { describe, expect, it } from 'vitest'
import type { FakeLanguageModelApi } from './fake-language-model.js'

const AVAILABILITIES = ['unavailable', 'downloadable', 'downloading', 'available']

/** @param setup gives a model that is available; its answers don't matter */
export function languageModelContract(name: string, setup: () => Promise<FakeLanguageModelApi>): void {
  const textOf = async (stream: ReadableStream<unknown>): Promise<string> => {
    let text = ''
    for await (const piece of stream) if (typeof piece === 'string') text += piece
    return text
  }

  describe(`language model contract: ${name}`, () => {
    it('says whether there is a model', async () => {
      const api = await setup()
      expect(AVAILABILITIES).toContain(await api.availability())
    })

    it('answers whole or in pieces', async () => {
      const session = await (await setup()).create()
      expect(await session.prompt('Say something.')).toEqual(expect.any(String))
      expect((await textOf(session.promptStreaming('Say something.'))).length).toBeGreaterThan(0)
      session.destroy()
    })

    it('takes what was said before, the system prompt first and nowhere else', async () => {
      const api = await setup()
      const [system, user] = [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hi.' },
      ] as const
      const session = await api.create({ initialPrompts: [system, user, { role: 'assistant', content: 'Hi.' }] })
      expect(await session.prompt('And?')).toEqual(expect.any(String))
      await expect(api.create({ initialPrompts: [user, system] })).rejects.toThrow(TypeError)
      session.destroy()
    })

    it('rejects an aborted prompt with AbortError, and goes on with the next', async () => {
      const session = await (await setup()).create()
      const stream = session.promptStreaming('Say something.', { signal: AbortSignal.abort() })
      await expect(textOf(stream)).rejects.toMatchObject({ name: 'AbortError' })
      expect(await session.prompt('Say something.')).toEqual(expect.any(String))
      session.destroy()
    })

    it('answers no more once it is destroyed', async () => {
      const session = await (await setup()).create()
      session.destroy()
      await expect(session.prompt('Say something.')).rejects.toMatchObject({ name: 'InvalidStateError' })
    })
  })
}
