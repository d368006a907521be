import { describe, expect, it } from 'vitest'
import { defineTool } from '../index.js'
import { FakePage } from './page.fixture.js'
import { calls, says, ScriptedProvider } from './scripted-provider.fixture.js'

describe('a conversation', () => {
  it('streams an answer into its messages and its run', async () => {
    const page = new FakePage(new ScriptedProvider('own', says('Hel', 'lo', '!')))
    const conversation = page.conversation()
    const run = conversation.send('Hi')
    expect(conversation.getState()).toMatchObject({ status: 'running', session: 'starting', provider: { id: 'own' } })
    expect(await run.text()).toBe('Hello!')
    expect(conversation.getState()).toMatchObject({
      status: 'idle',
      session: 'ready',
      error: null,
      queued: 0,
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          parts: [{ type: 'text', text: 'Hello!' }],
          metadata: { turnId: run.turnId, provider: { id: 'own', label: 'AI own', locality: 'device' } },
        },
      ],
    })
  })

  it('runs the tools of the page, and tells each step in order', async () => {
    const page = new FakePage(new ScriptedProvider('own', calls('price', { sku: 'mug' })))
    const price = defineTool({ name: 'price', description: 'A price.', execute: ({ sku }) => ({ sku, eur: 9 }) })
    const run = page.conversation({ tools: [price] }).send('How much?')
    const events = []
    for await (const event of run) events.push({ ...event, turnId: undefined, at: undefined })
    const callId = expect.any(String) as string
    expect(events).toEqual([
      { type: 'start', provider: { id: 'own', label: 'AI own', locality: 'device' } },
      { type: 'tool-call', callId, name: 'price', args: { sku: 'mug' } },
      { type: 'tool-result', callId, name: 'price', outcome: { ok: true, result: { sku: 'mug', eur: 9 } } },
      { type: 'text-delta', text: '{"sku":"mug","eur":9}' },
      { type: 'finish', text: '{"sku":"mug","eur":9}' },
    ])
    expect((await run.result()).message.parts).toMatchObject([
      { type: 'tool-call', callId, state: 'done', result: { sku: 'mug', eur: 9 } },
      { type: 'text' },
    ])
  })
})
