import { expect, it } from 'vitest'
import { chatReducer, EMPTY_CHAT, type ChatEvent } from './chat-state.js'
import { createSpeaker } from './speaker.js'

function heard(...events: ChatEvent[]): string[] {
  const said: string[] = []
  const speaker = createSpeaker((text) => said.push(text))
  let state = EMPTY_CHAT
  for (const event of events) {
    state = chatReducer(state, event)
    speaker.hear(state)
    speaker.hear(state)
  }
  return said
}

const asked: ChatEvent = { type: 'asked', text: '?' }
const text = (words: string): ChatEvent => ({ type: 'text', text: words })

it('says whole sentences, each once', () => {
  expect(
    heard(asked, text('There are '), text('three. Two'), text(' are blue'), { type: 'ended', how: 'done' }),
  ).toEqual(['There are three.', 'Two are blue'])
})

it('says calls and how an answer ended', () => {
  expect(
    heard(
      asked,
      { type: 'call_began', id: '1', tool: 'search_products', args: { query: 'oat' } },
      { type: 'call_ended', id: '1', result: {} },
      text('Half of'),
      { type: 'ended', how: 'failed', notice: 'Your AI stopped because of an error.' },
    ),
  ).toEqual(['Searching mugs: oat.', 'Half of', 'The answer failed.', 'Your AI stopped because of an error.'])
})

it('begins anew with each answer', () => {
  const done: ChatEvent = { type: 'ended', how: 'done' }
  expect(heard(asked, text('One.'), done, asked, text('Two.'), done)).toEqual(['One.', 'Two.'])
})

it('says what the AI is busy with, once', () => {
  const busy = (words: string | null): ChatEvent => ({ type: 'busy_with', text: words })
  expect(heard(asked, busy('Reconnecting…'), busy(null), text('Here.'), { type: 'ended', how: 'done' })).toEqual([
    'Reconnecting…',
    'Here.',
  ])
})
