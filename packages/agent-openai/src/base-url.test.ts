import { describe, expect, it } from 'vitest'
import { normalizeBaseUrl } from './base-url.js'

describe('the address of a service', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['  http://127.0.0.1:8080/v1///  ', 'http://127.0.0.1:8080/v1'],
    ['127.0.0.1:1234', 'http://127.0.0.1:1234/v1'],
    ['localhost:11434/v1', 'http://localhost:11434/v1'],
    ['[::1]:8080', 'http://[::1]:8080/v1'],
    ['192.168.1.20:8000', 'http://192.168.1.20:8000/v1'],
    ['nas:8000', 'http://nas:8000/v1'],
    ['nas.local', 'http://nas.local/v1'],
    ['api.openai.com', 'https://api.openai.com/v1'],
    ['api.example.com/openai', 'https://api.example.com/openai/v1'],
    ['http://api.example.com', 'http://api.example.com/v1'],
    ['HTTPS://API.Example.COM/V1', 'https://api.example.com/V1'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta/openai',
    ],
    ['https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4'],
    ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
    ['http://127.0.0.1:8080/v1/models/', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/chat/completions', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/vision', 'http://127.0.0.1:8080/vision/v1'],
    ['http://127.0.0.1:80/v1', 'http://127.0.0.1/v1'],
  ])('%j becomes %s', (typed, normal) => {
    expect(normalizeBaseUrl(typed)).toBe(normal)
    expect(normalizeBaseUrl(normal)).toBe(normal)
  })

  it.each([
    '',
    '   ',
    'not an address',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http://user:secret@127.0.0.1',
    'http://127.0.0.1:8080/v1?api-version=1',
    'http://127.0.0.1:8080/v1#x',
    'http://127.0.0.1:99999',
  ])('%j is none', (typed) => {
    expect(normalizeBaseUrl(typed)).toBeNull()
  })
})
