import { describe, expect, it } from 'vitest'
import { resolveAi } from './index.js'

describe('resolveAi', () => {
  it("takes the site's AI, else the visitor's default, else the demo AI", () => {
    expect(resolveAi({ agent: 'llm:ollama' }, { agent: 'claude-acp' })).toMatchObject({
      id: 'llm:ollama',
      from: 'site',
    })
    expect(resolveAi({}, { agent: 'claude-acp' })).toMatchObject({ id: 'claude-acp', from: 'default' })
    expect(resolveAi(null, { agent: 'claude-acp' })).toMatchObject({ id: 'claude-acp', from: 'default' })
    expect(resolveAi(null, {})).toEqual({ id: 'demo', from: 'default' })
  })

  it('counts an empty id as none', () => {
    expect(resolveAi({ agent: '  ' }, { agent: '' })).toEqual({ id: 'demo', from: 'default' })
  })

  it('uses a site model only with the AI it was chosen for', () => {
    const model = { agent: 'llm:ollama', id: 'phi4' }
    expect(resolveAi({ agent: 'llm:ollama', model }, {}).siteModel).toBe('phi4')
    expect(resolveAi({ agent: 'llm:lmstudio', model }, {}).siteModel).toBeUndefined()
    expect(resolveAi({ model }, { agent: 'llm:ollama' }).siteModel).toBe('phi4')
    expect(resolveAi({ model }, { agent: 'claude-acp' }).siteModel).toBeUndefined()
  })

  it('takes a bare model id, as other versions wrote it', () => {
    expect(resolveAi({ agent: 'llm:ollama', model: 'phi4' }, {}).siteModel).toBe('phi4')
  })

  it('reads the model fixed in an id, slashes and colons included', () => {
    expect(resolveAi({ agent: 'llm:ollama/hf.co/team/phi-4:q4' }, {}).fixedModel).toBe('hf.co/team/phi-4:q4')
    expect(resolveAi({ agent: 'llm:ollama' }, {}).fixedModel).toBeUndefined()
  })

  it('finds the model configured for that AI', () => {
    const models = { 'llm:ollama': 'phi4', 'claude-acp': 'sonnet' }
    expect(resolveAi(null, { agent: 'claude-acp', models }).configuredModel).toBe('sonnet')
    expect(resolveAi({ agent: 'llm:lmstudio' }, { models }).configuredModel).toBeUndefined()
  })

  it.each([
    ['a number', 7],
    ['an array', ['phi4']],
    ['an object without an AI', { id: 'phi4' }],
    ['an object with another kind of id', { agent: 'llm:ollama', id: 3 }],
    ['null', null],
  ])('counts %s as no model', (_name, model) => {
    expect(resolveAi({ agent: 'llm:ollama', model }, { models: model })).toEqual({ id: 'llm:ollama', from: 'site' })
  })

  it('looks for an AI only among the own keys of a settings file', () => {
    expect(resolveAi({ agent: 'constructor' }, { models: {} }).configuredModel).toBeUndefined()
  })
})
