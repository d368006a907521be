import { describe, expect, it } from 'vitest'
import { findEmbeddingModel, parseEmbeddingChoice } from './index.js'

describe('parseEmbeddingChoice', () => {
  it.each([
    [undefined, 'auto'],
    ['auto', 'auto'],
    ['off', 'off'],
    [
      { provider: 'ollama', model: 'm', more: 1 },
      { provider: 'ollama', model: 'm' },
    ],
  ])('reads %j', (value, choice) => {
    expect(parseEmbeddingChoice(value)).toEqual(choice)
  })

  it.each([
    null,
    '',
    'OFF',
    'on',
    true,
    7,
    [],
    {},
    { provider: 'ollama' },
    { provider: '', model: 'm' },
    { provider: 'a', model: 3 },
  ])('does not read %j', (value) => {
    expect(parseEmbeddingChoice(value)).toBeNull()
  })
})

describe('findEmbeddingModel', () => {
  const nomic = { provider: 'ollama', model: 'nomic-embed-text:latest' }
  const hub = { provider: 'lmstudio', model: 'org/bge-m3' }
  const known = [nomic, hub, { provider: 'lmstudio', model: 'twin' }, { provider: 'ollama', model: 'twin' }]
  it.each([
    ['llm:ollama/nomic-embed-text:latest', nomic],
    ['ollama/nomic-embed-text', nomic],
    ['nomic-embed-text', nomic],
    [' Nomic-Embed-Text ', nomic],
    ['org/bge-m3', hub],
    ['lmstudio/org/bge-m3', hub],
    ['ollama/twin', { provider: 'ollama', model: 'twin' }],
    ['twin', null],
    ['bge-m3', null],
    ['', null],
    ['ollama/', null],
  ])('%j', (text, model) => {
    expect(findEmbeddingModel(text, known)).toEqual(model)
  })
})
