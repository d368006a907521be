import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ollamaRoot, serviceAddresses } from './index.js'

describe('ollamaRoot reads OLLAMA_HOST as Ollama does', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['  ', 'http://127.0.0.1:11434'],
    ['1.2.3.4', 'http://1.2.3.4:11434'],
    ['box', 'http://box:11434'],
    ['box:5000', 'http://box:5000'],
    [':5000', 'http://127.0.0.1:5000'],
    ['http://box', 'http://box:80'],
    ['https://box', 'https://box:443'],
    ['HTTPS://box:8443', 'https://box:8443'],
    ['http://box:5000/', 'http://box:5000'],
    ['https://box/ollama/', 'https://box:443/ollama'],
    ['[::1]', 'http://[::1]:11434'],
    ['[::1]:5000', 'http://[::1]:5000'],
    ['::1', 'http://[::1]:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:5000', 'http://127.0.0.1:5000'],
    ['[::]:5000', 'http://[::1]:5000'],
    ['::', 'http://[::1]:11434'],
    ['"box:5000"', 'http://box:5000'],
    ["'box'", 'http://box:11434'],
    ['box:99999', 'http://box:11434'],
    ['box:0x10', 'http://box:11434'],
    ['a b', 'http://127.0.0.1:11434'],
    ['http://', 'http://127.0.0.1:80'],
  ])('%j is %s', (value, root) => {
    expect(ollamaRoot(value)).toBe(root)
  })

  it('gives an http(s) address without a slash at the end, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.ipV4(), fc.ipV6()), (value) => {
        const root = ollamaRoot(value)
        expect(['http:', 'https:']).toContain(new URL(root).protocol)
        expect(root.endsWith('/')).toBe(false)
      }),
    )
  })
})

describe('serviceAddresses', () => {
  const saved = { kind: 'openai', name: 'Box', baseUrl: 'http://box:8000/v1' } as const

  it('has LM Studio and Ollama at their usual places', () => {
    expect(serviceAddresses([], {})).toEqual([
      { id: 'lmstudio', kind: 'lmstudio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', saved: false },
      { id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', saved: false },
    ])
  })

  it('finds Ollama where OLLAMA_HOST says', () => {
    expect(serviceAddresses([], { OLLAMA_HOST: 'box:5000' })[1]?.baseUrl).toBe('http://box:5000/v1')
  })

  it('lets a saved provider with that id take the place of a built-in service, of its kind', () => {
    const services = serviceAddresses([{ ...saved, id: 'ollama', apiKey: 'k' }], { OLLAMA_HOST: 'elsewhere' })
    expect(services.map(({ id }) => id)).toEqual(['lmstudio', 'ollama'])
    expect(services[1]).toEqual({ ...saved, id: 'ollama', kind: 'ollama', apiKey: 'k', saved: true })
  })

  it('keeps what requests to a saved one need: its key and its headers', () => {
    const headers = { 'x-team': 'a' }
    expect(serviceAddresses([{ ...saved, id: 'box', apiKey: 'k', headers }], {})[2]).toMatchObject({
      apiKey: 'k',
      headers,
    })
  })

  it('adds the saved ones in their order, with their own kind', () => {
    const services = serviceAddresses(
      [
        { ...saved, id: 'box' },
        { ...saved, id: 'gpu', kind: 'ollama', baseUrl: 'http://gpu:11434/v1//' },
      ],
      {},
    )
    expect(services.slice(2)).toEqual([
      { ...saved, id: 'box', saved: true },
      { ...saved, id: 'gpu', kind: 'ollama', baseUrl: 'http://gpu:11434/v1', saved: true },
    ])
  })
})
