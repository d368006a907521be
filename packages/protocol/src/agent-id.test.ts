import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatModelId, parseAgentId, slugOf } from './index.js'

describe('parseAgentId', () => {
  it.each([
    ['demo', { kind: 'demo' }],
    ['llm:ollama', { kind: 'llm', provider: 'ollama' }],
    ['llm:ollama/llama3.2', { kind: 'llm', provider: 'ollama', model: 'llama3.2' }],
    ['llm:open-router/qwen/qwen3:free', { kind: 'llm', provider: 'open-router', model: 'qwen/qwen3:free' }],
    ['claude-acp', { kind: 'agent', id: 'claude-acp' }],
    ['', null],
    ['llm:', null],
    ['llm:/model', null],
    ['llm:ollama/', null],
    ['llm:ollama/  ', null],
    ['Rm -rf', null],
    ['../../etc', null],
  ])('reads %s as %j', (text, id) => {
    expect(parseAgentId(text)).toEqual(id)
  })

  it('reads every model id that it writes', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 100 }), (model) => {
        fc.pre(model.trim() !== '')
        expect(parseAgentId(formatModelId('ollama', model))).toEqual({ kind: 'llm', provider: 'ollama', model })
      }),
    )
  })
})

describe('slugOf', () => {
  it.each([
    ['My Server', 'my-server'],
    ['  Café & Co. ', 'cafe-co'],
    ['OpenAI', 'openai'],
    ['日本', null],
    ['--', null],
  ])('makes %s into %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  it('makes a provider id of whatever is left', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const slug = slugOf(name)
        if (slug !== null) expect(parseAgentId(`llm:${slug}`)).toEqual({ kind: 'llm', provider: slug })
      }),
    )
  })
})
