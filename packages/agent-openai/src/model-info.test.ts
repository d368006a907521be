import { MAX_MODELS } from '@leuria/language-model'
import { describe, expect, it } from 'vitest'
import { readModelList } from './model-info.js'

const AT = 'http://127.0.0.1:8080/v1'
const one = (entry: unknown): unknown => readModelList({ data: [entry] }, AT)?.[0]

describe('a list of models', () => {
  it.each([
    ['OpenAI', { object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] }],
    ['Ollama', { models: [{ name: 'a', model: 'a' }, { name: 'b' }] }],
    [
      'Together',
      [
        { id: 'a', type: 'chat' },
        { id: 'b', type: 'chat' },
      ],
    ],
    ['with things that are no models', { data: [{ id: 'a' }, null, 5, {}, { id: '' }, { id: 'a' }, { id: 'b' }] }],
  ])('is read in the form of %s', (_name, body) => {
    expect(readModelList(body, AT)?.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('is read as quickly when it is endless', () => {
    const data = Array.from({ length: 100_000 }, (_, at) => ({ id: `model-${at}` }))
    expect(readModelList({ data }, AT)).toHaveLength(MAX_MODELS)
  })

  it.each([null, 'x', {}, { data: 'none' }])('is none: %j', (body) => {
    expect(readModelList(body, AT)).toBeNull()
  })

  it.each([
    [
      'OpenRouter',
      {
        id: 'meta/llama',
        context_length: 131072,
        architecture: { input_modalities: ['text', 'image'] },
        supported_parameters: ['tools'],
      },
      { name: 'llama', images: true, tools: true, contextTokens: 131072 },
    ],
    [
      'OpenRouter, text only',
      { id: 'x', architecture: { input_modalities: ['text'] }, supported_parameters: ['seed'] },
      { images: false, tools: false },
    ],
    ['vLLM', { id: 'x', max_model_len: 4096 }, { contextTokens: 4096 }],
    [
      'Mistral',
      { id: 'x', max_context_length: 32768, capabilities: { vision: false, function_calling: true } },
      { images: false, tools: true, contextTokens: 32768 },
    ],
    ['Groq', { id: 'x', context_window: 8192 }, { contextTokens: 8192 }],
    [
      'LM Studio',
      { id: 'x', type: 'vlm', max_context_length: 32768, loaded_context_length: 4096 },
      { type: 'chat', images: true, contextTokens: 4096 },
    ],
    ['llama.cpp', { id: 'x', meta: { n_ctx: 2048, n_ctx_train: 131072 } }, { contextTokens: 2048 }],
    ['a text embedder by type', { id: 'x', type: 'embeddings' }, { type: 'embedding' }],
    ['a text embedder by name', { id: 'text-embedding-3-small' }, { type: 'embedding' }],
    ['a name that sees', { id: 'gpt-4o-mini' }, { type: 'chat', images: true }],
  ])('tells what %s says', (_name, entry, facts) => {
    expect(one(entry)).toMatchObject(facts)
  })

  it('says nothing that is not known', () => {
    expect(one({ id: 'x', max_model_len: -1 })).toEqual({ id: 'x', name: 'x', type: 'chat', local: true })
    expect(readModelList([{ id: 'x' }], 'https://api.example.com/v1')?.[0]?.local).toBe(false)
  })

  it.each(['whisper-1', 'tts-1-hd', 'dall-e-3', 'omni-moderation-latest', 'gpt-image-1', 'gpt-4o-transcribe'])(
    'leaves out %s',
    (id) => {
      expect(readModelList([{ id }], AT)).toEqual([])
    },
  )
})
