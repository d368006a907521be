/** The embeddings endpoint of a real llama.cpp server, saved as an LM Studio: skipped, with the reason, where there is none. */
import { createLmStudioService } from '@leuria/agent-lmstudio'
import { systemClock } from '@leuria/clock'
import { type LlamaCpp, startLlamaCpp } from '@leuria/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmbeddings } from './index.js'

describe('with a real llama.cpp server', { timeout: 120_000 }, () => {
  let llama: LlamaCpp
  beforeAll(async () => {
    llama = await startLlamaCpp({ embeddings: true, alias: 'text-embedding-smollm2' })
  }, 90_000)
  afterAll(async () => {
    if (llama.ok) await llama.close()
  })

  it('turns texts into vectors, in order, and names the one that is too long', async ({ skip }) => {
    if (!llama.ok) return skip(llama.reason)
    const provider = { id: 'lmstudio', name: 'llama.cpp', baseUrl: llama.url }
    const service = createLmStudioService({ provider, clock: systemClock })
    const embeddings = createEmbeddings({ services: () => [service], choice: () => 'auto' })
    const never = new AbortController().signal
    const { model, vectors } = await embeddings.embed({ texts: ['fox', 'a red fox', 'fox'], kind: 'query' }, never)
    expect(model).toBe('text-embedding-smollm2')
    expect(vectors.map(({ length }) => length)).toEqual([576, 576, 576])
    expect(vectors[2]).toEqual(vectors[0])
    expect(vectors[1]).not.toEqual(vectors[0])
    expect(embeddings.current()).toEqual({ provider: 'lmstudio', model })

    // More tokens than it takes at once.
    const long = 'a b c d '.repeat(1_000)
    await expect(embeddings.embed({ texts: ['fox', long, 'fox'] }, never)).rejects.toMatchObject({
      code: 'embedder_failed',
      message: expect.stringContaining('Text 2 of 3') as string,
    })
    service.close()
  })
})
