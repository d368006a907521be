import { describe, expect, it } from 'vitest'
import { findChatFault } from './strict-chat-api.js'

const user = { role: 'user', content: 'hi' }
const call = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'get_cart', arguments: args } })
const assistant = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls })
const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' })
const answer = { role: 'assistant', content: 'Hello.' }
const named = (...names: string[]) => names.map((name) => ({ type: 'function', function: { name, parameters: {} } }))

describe('a strict chat API', () => {
  it.each([
    ['a question', [user]],
    ['after a system prompt', [{ role: 'system', content: 'x' }, user]],
    ['a conversation', [user, answer, user]],
    ['results of calls', [user, assistant(call('a'), call('b')), tool('b'), tool('a')]],
  ])('takes %s', (_name, messages) => {
    expect(findChatFault({ model: 'm', messages })).toBeNull()
  })

  it.each<[string, object, RegExp]>([
    ['no messages', { messages: [] }, /missing or empty/],
    ['two questions in a row', { messages: [user, user] }, /unexpected role user/],
    ['an answer at the end', { messages: [user, answer] }, /last message is from assistant/],
    ['a call without a result', { messages: [user, assistant(call('a'))] }, /no result: a/],
    ['a result without a call', { messages: [user, assistant(call('a')), tool('b')] }, /no open tool call b/],
    [
      'a question right after results',
      { messages: [user, assistant(call('a')), tool('a'), user] },
      /unexpected role user/,
    ],
    ['arguments that are no object', { messages: [user, assistant(call('a', '[1]')), tool('a')] }, /not a JSON object/],
    ['two calls with one id', { messages: [user, assistant(call('a'), call('a')), tool('a')] }, /share an id/],
    ['an empty text', { messages: [{ role: 'user', content: '' }] }, /content is empty/],
    ['an illegal tool name', { messages: [user], tools: named('cart.add') }, /"cart.add" is not allowed/],
    ['two tools of one name', { messages: [user], tools: named('a', 'a') }, /unique/],
    ['no tools at all in a list', { messages: [user], tools: [] }, /must not be empty/],
    ['a tool choice without tools', { messages: [user], tool_choice: 'none' }, /without tools/],
  ])('refuses %s', (_name, body, fault) => {
    expect(findChatFault({ model: 'm', ...body })).toMatch(fault)
  })
})
