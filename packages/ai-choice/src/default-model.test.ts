import { describe, expect, it } from 'vitest'
import { chooseModel, modelName, plainName } from './index.js'

const cloud = { id: 'big:cloud', local: false }
const cold = { id: 'phi4' }
const warm = { id: 'llama3.2', loaded: true }
const embedder = { id: 'nomic-embed-text', type: 'embedding', loaded: true } as const

describe('chooseModel', () => {
  it.each([
    {
      what: 'the id itself',
      question: { fixed: 'a', site: 'b', configured: 'c', models: [warm] },
      model: 'a',
      reason: 'fixed',
    },
    { what: "the site's model", question: { site: 'b', configured: 'c', models: [warm] }, model: 'b', reason: 'site' },
    { what: 'the configured model', question: { configured: 'c', models: [warm] }, model: 'c', reason: 'configured' },
    { what: 'the loaded one', question: { models: [cloud, cold, warm] }, model: 'llama3.2', reason: 'loaded' },
    { what: 'the first on this computer', question: { models: [cloud, cold] }, model: 'phi4', reason: 'local' },
    { what: 'the first', question: { models: [cloud] }, model: 'big:cloud', reason: 'first' },
  ] as const)('takes $what', ({ question, model, reason }) => {
    expect(chooseModel(question)).toEqual({ model, reason })
  })

  it('never takes an embedding model by itself', () => {
    expect(chooseModel({ models: [embedder] })).toBeNull()
    expect(chooseModel({ models: [embedder, cold] })).toEqual({ model: 'phi4', reason: 'local' })
  })

  it('keeps a chosen model that the service no longer has: it is never replaced in silence', () => {
    expect(chooseModel({ site: 'gone', models: [warm] })).toEqual({ model: 'gone', reason: 'site' })
  })

  it('counts an empty choice as none', () => {
    expect(chooseModel({ fixed: '', site: '', models: [cold] })?.model).toBe('phi4')
  })
})

describe('names for people', () => {
  it.each([
    ['llama3.2:latest', 'llama3.2'],
    ['llama3.2:1b', 'llama3.2:1b'],
    ['hf.co/team/phi-4-GGUF:Q4', 'phi-4-GGUF:Q4'],
    ['openai/gpt-oss-20b', 'gpt-oss-20b'],
    ['team/', 'team/'],
    [':latest', ':latest'],
  ])('calls %s "%s"', (id, name) => {
    expect(modelName(id)).toBe(name)
  })

  it('joins a service and its model with a middle dot', () => {
    expect(plainName('Ollama', 'llama3.2')).toBe('Ollama · llama3.2')
    expect(plainName('Claude')).toBe('Claude')
    expect(plainName('Claude', '')).toBe('Claude')
  })
})
