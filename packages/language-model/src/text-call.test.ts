import { describe, expect, it } from 'vitest'
import { readTextCall, TextCallCatcher } from './text-call.js'

const isTool = (name: string): boolean => name === 'search' || name === 'get_cart'
const SEARCH = { name: 'search', arguments: { query: 'mug' } }

describe('a call written as text', () => {
  it.each([
    '{"name":"search","arguments":{"query":"mug"}}',
    '{"name":"search","parameters":{"query":"mug"}}',
    '{"type":"function","name":"search","parameters":{"query":"mug"}}',
    '{"type":"function","function":{"name":"search","arguments":{"query":"mug"}}}',
    '{"function":"search","arguments":"{\\"query\\":\\"mug\\"}"}',
    '{"tool":"search","args":{"query":"mug"}}',
    '[{"name":"search","arguments":{"query":"mug"}}]',
    '```json\n{"name":"search","arguments":{"query":"mug"}}\n```',
    '<tool_call>\n{"name":"search","arguments":{"query":"mug"}}\n</tool_call>',
    '[TOOL_CALLS] [{"name":"search","arguments":{"query":"mug"}}]',
    '  {"name":"search","arguments":{"query":"mug"}}\n',
  ])('is recovered: %s', (text) => {
    expect(readTextCall(text, isTool)).toEqual(SEARCH)
    const catcher = new TextCallCatcher(isTool)
    expect([...text].map((piece) => catcher.push(piece)).join('')).toBe('')
    expect(catcher.end()).toEqual({ call: SEARCH, text: '' })
  })

  it.each([
    'Sure! {"name":"search","arguments":{"query":"mug"}}',
    '{"name":"search","arguments":{"query":"mug"}} Shall I?',
    '{"name":"delete_all","arguments":{}}',
    '{"name":"search"}',
    '{"name":"search","arguments":[1]}',
    '{"name":"search","arguments":{"query":"mug"},"price":3}',
    '[{"name":"search","arguments":{}},{"name":"search","arguments":{}}]',
    '{"name":"search","arguments":{"query":"mug"}',
    '{"result":[1,2,3]}',
    '[1, 2]',
    '{not json}',
    '```python\nprint(1)\n```',
    '`search`',
    '',
    'Hello',
  ])('is left alone: %j', (text) => {
    const catcher = new TextCallCatcher(isTool)
    const shown = [...text].map((piece) => catcher.push(piece)).join('')
    const { call, text: rest } = catcher.end()
    expect(call).toBeNull()
    expect(shown + rest).toBe(text)
  })

  it('lets text go as soon as it can be no call', () => {
    const catcher = new TextCallCatcher(isTool)
    expect(catcher.push('{"res')).toBe('')
    expect(catcher.push('ult":')).toBe('{"result":')
    expect(catcher.push('1}')).toBe('1}')
  })

  it('holds nothing when no tools are offered', () => {
    expect(new TextCallCatcher(null).push('{"name":')).toBe('{"name":')
  })

  it('holds a text of 32,768 characters, and no more', () => {
    const catcher = new TextCallCatcher(isTool)
    const long = `{"name":"${'x'.repeat(32_768 - 9)}`
    expect(catcher.push(long)).toBe('')
    expect(catcher.push('x')).toBe(`${long}x`)
  })
})
