import { describe, expect, it } from 'vitest'
import { type ChatRun, defineTool, LeuriaError, type RunEvent } from '../index.js'
import { FakePage } from './page.fixture.js'
import { calls, fails, says, ScriptedProvider } from './scripted-provider.fixture.js'

const anyText = expect.any(String) as string
const text = (words: string) => ({ type: 'text', text: words })

/** A run's events without the stamps. */
async function eventsOf(run: ChatRun) {
  const events: object[] = []
  for await (const { turnId: _turnId, at: _at, ...event } of run) events.push(event)
  return events
}

describe('a conversation', () => {
  it('streams an answer into its messages and its run', async () => {
    const page = new FakePage(new ScriptedProvider('own', says('Hel', 'lo', '!')))
    const conversation = page.conversation()
    const run = conversation.send('Hi')
    expect(conversation.getState()).toMatchObject({ status: 'running', session: 'starting', provider: { id: 'own' } })
    expect(await run.text()).toBe('Hello!')
    expect(conversation.getState()).toEqual({
      status: 'idle',
      session: 'ready',
      error: null,
      queued: 0,
      pendingInputs: [],
      provider: { id: 'own', label: 'AI own', locality: 'device' },
      messages: [
        { id: anyText, role: 'user', parts: [text('Hi')] },
        {
          id: anyText,
          role: 'assistant',
          parts: [text('Hello!')],
          metadata: {
            turnId: run.turnId,
            provider: { id: 'own', label: 'AI own', locality: 'device' },
            startedAt: page.clock.date().getTime(),
            finishedAt: page.clock.date().getTime(),
          },
        },
      ],
    })
  })

  it('shows each message and who answers at once, before anything is waited for', async () => {
    const page = new FakePage(new ScriptedProvider('own', says('1'), says('2')))
    const conversation = page.conversation()
    for (const words of ['Hi', 'Again']) {
      const run = conversation.send(words)
      expect(conversation.getState().messages.slice(-2)).toMatchObject([
        { role: 'user', parts: [text(words)] },
        { role: 'assistant', parts: [], metadata: { provider: { id: 'own' } } },
      ])
      await run.text()
    }
  })

  it('keeps one session and the history over several messages', async () => {
    const own = new ScriptedProvider('own', says('One.'), says('Two.'))
    const conversation = new FakePage(own).conversation({ system: 'Be brief.' })
    await conversation.send('First').text()
    await conversation.send('Second').text()
    expect(own.said).toEqual(['First', 'Second'])
    expect(own.sessions).toHaveLength(1)
    expect(own.session.options).toMatchObject({ system: 'Be brief.', history: [], tools: [], maxSteps: 10 })
    expect(conversation.getState().messages.map(({ role, parts }) => [role, parts])).toEqual([
      ['user', [text('First')]],
      ['assistant', [text('One.')]],
      ['user', [text('Second')]],
      ['assistant', [text('Two.')]],
    ])
  })

  it('goes on from messages of before', async () => {
    const own = new ScriptedProvider('own')
    const messages = [{ id: 'm1', role: 'user' as const, parts: [{ type: 'text' as const, text: 'I am Ann.' }] }]
    const conversation = new FakePage(own).conversation({ messages })
    await conversation.send('Who am I?').text()
    expect(own.session.options.history).toEqual(messages)
    expect(conversation.getState().messages[0]).toBe(messages[0])
  })

  it('keeps the messages it was given apart from the page’s own list', () => {
    const messages = [{ id: 'm1', role: 'user' as const, parts: [] }]
    const conversation = new FakePage().conversation({ messages })
    messages.pop()
    expect(conversation.getState().messages).toHaveLength(1)
  })

  it('runs the tools of the page, and tells each step in order', async () => {
    const page = new FakePage(new ScriptedProvider('own', calls('price', { sku: 'mug' })))
    const price = defineTool({ name: 'price', description: 'A price.', execute: ({ sku }) => ({ sku, eur: 9 }) })
    const run = page.conversation({ tools: [price] }).send('How much?')
    const callId = expect.any(String) as string
    expect(await eventsOf(run)).toEqual([
      { type: 'start', provider: { id: 'own', label: 'AI own', locality: 'device' } },
      { type: 'tool-call', callId, name: 'price', args: { sku: 'mug' } },
      { type: 'tool-result', callId, name: 'price', outcome: { ok: true, result: { sku: 'mug', eur: 9 } } },
      { type: 'text-delta', text: '{"sku":"mug","eur":9}' },
      { type: 'finish', text: '{"sku":"mug","eur":9}' },
    ])
    expect((await run.result()).message.parts).toMatchObject([
      { type: 'tool-call', callId, args: { sku: 'mug' }, state: 'done', result: { sku: 'mug', eur: 9 } },
      { type: 'text' },
    ])
  })

  it('keeps what the AI thought aloud apart from what it said', async () => {
    const own = new ScriptedProvider('own', ({ context }) => {
      context.reasoning('Let me ')
      context.reasoning('see.')
      context.text('Yes')
      context.reasoning('Sure?')
      context.text('.')
    })
    const run = new FakePage(own).conversation().send('Well?')
    expect(await run.text()).toBe('Yes.')
    expect((await run.result()).message.parts).toEqual([
      { type: 'reasoning', text: 'Let me see.' },
      text('Yes'),
      { type: 'reasoning', text: 'Sure?' },
      text('.'),
    ])
  })

  it.each([
    { what: 'more than it streamed', streamed: 'Hel', final: 'Hello', result: 'Hello', parts: [text('Hello')] },
    { what: 'something else', streamed: 'Helo', final: 'Hello', result: 'Hello', parts: [text('Hello')] },
    { what: 'nothing', streamed: 'Hello', final: '', result: 'Hello', parts: [text('Hello')] },
    { what: 'the same', streamed: 'Hello', final: 'Hello', result: 'Hello', parts: [text('Hello')] },
    {
      what: 'all of it, having streamed nothing',
      streamed: '',
      final: 'Hello',
      result: 'Hello',
      parts: [text('Hello')],
    },
  ])('believes a provider that says in the end: $what', async ({ streamed, final, result, parts }) => {
    const own = new ScriptedProvider('own', ({ context }) => {
      context.text(streamed)
      return final
    })
    const run = new FakePage(own).conversation().send('Hi')
    expect(await run.text()).toBe(result)
    expect((await run.result()).message.parts).toEqual(parts)
    const deltas = (await eventsOf(run)).filter(
      (event) => 'text' in event && 'type' in event && event.type === 'text-delta',
    )
    if (result.startsWith(streamed))
      expect(deltas.map((each) => ('text' in each ? each.text : '')).join('')).toBe(result)
  })

  it('asks only providers that can do what is needed', async () => {
    const [plain, own] = [new ScriptedProvider('plain').able(), new ScriptedProvider('own')]
    const page = new FakePage(plain, own)
    const tool = defineTool({ name: 'time', description: 'The time.', execute: () => 'noon' })
    await page
      .conversation({ localOnly: true, provider: ['own', 'plain'], tools: [tool] })
      .send('Hi')
      .text()
    expect(page.needs).toEqual([
      { capabilities: ['chat', 'tools'], hasSchema: false, localOnly: true, provider: ['own', 'plain'] },
    ])
    expect(plain.sessions).toEqual([])
  })

  it('says when no AI is ready, and keeps the message', async () => {
    const page = new FakePage()
    const conversation = page.conversation()
    const run = conversation.send('Hi')
    await expect(run.text()).rejects.toMatchObject({ name: 'LeuriaError', code: 'no_provider' })
    expect(conversation.getState()).toMatchObject({
      status: 'error',
      error: { code: 'no_provider' },
      session: 'none',
      provider: null,
      messages: [{ role: 'user', parts: [text('Hi')] }],
    })
    expect(await eventsOf(run)).toMatchObject([{ type: 'error', error: { code: 'no_provider' } }])
  })

  it('removes an empty answer when the AI fails, and keeps a partial one', async () => {
    const own = new ScriptedProvider('own', fails(new Error('boom')), fails(new Error('boom'), 'Well, '), says('Fine.'))
    const conversation = new FakePage(own).conversation()
    await expect(conversation.send('One').text()).rejects.toMatchObject({ code: 'ai_failed', detail: 'boom' })
    expect(conversation.getState()).toMatchObject({ status: 'error', session: 'none', messages: [{ role: 'user' }] })
    await expect(conversation.send('Two').text()).rejects.toThrow(LeuriaError)
    expect(conversation.getState().messages.at(-1)).toMatchObject({
      role: 'assistant',
      parts: [text('Well, ')],
      metadata: { finishedAt: expect.any(Number) as number },
    })
    expect(await conversation.send('Three').text()).toBe('Fine.')
    expect(conversation.getState()).toMatchObject({ status: 'idle', error: null, session: 'ready' })
    expect(own.session.options.history.map(({ parts }) => parts)).toEqual([
      [text('One')],
      [text('Two')],
      [text('Well, ')],
    ])
    expect(own.sessions.map(({ closes }) => closes)).toEqual([1, 1, 0])
  })

  it('passes on the words of errors that are for visitors', async () => {
    const declined = new LeuriaError('Your AI is signed out.', { code: 'signed_out' })
    const run = new FakePage(new ScriptedProvider('own', fails(declined))).conversation().send('Hi')
    await expect(run.result()).rejects.toBe(declined)
  })

  it('tells what goes on as an event only', async () => {
    const own = new ScriptedProvider('own', async ({ context }) => {
      context.text('a')
      const before = conversation.getState()
      context.status('Thinking')
      context.status(null)
      expect(conversation.getState()).toBe(before)
    })
    const conversation = new FakePage(own).conversation()
    const run = conversation.send('Hi')
    expect(await run.text()).toBe('a')
    expect((await eventsOf(run)).slice(2, 4)).toEqual([
      { type: 'status', status: 'Thinking' },
      { type: 'status', status: null },
    ])
  })

  it('does not abort a provider that is done', async () => {
    const own = new ScriptedProvider('own', says('a'))
    const conversation = new FakePage(own).conversation()
    await conversation.send('Hi').text()
    await conversation.close()
    expect(own.session.contexts[0]?.signal.aborted).toBe(false)
  })

  it('drops what a provider reports after the end of its turn', async () => {
    const own = new ScriptedProvider('own', says('Done.'))
    const page = new FakePage(own)
    const conversation = page.conversation()
    await conversation.send('Hi').text()
    const [before, count] = [conversation.getState(), page.events.length]
    const [context] = own.session.contexts
    context?.text('late')
    context?.reasoning('late')
    context?.status('late')
    expect(await context?.runTool({ name: 'time', args: {} })).toMatchObject({ ok: false })
    expect(conversation.getState()).toBe(before)
    expect(page.events).toHaveLength(count)
  })

  it.each([
    ['a name twice', ['time', 'time']],
    ['no name', ['']],
    ['the reserved name', ['submit_result']],
  ])('refuses tools with %s', (_, names) => {
    const tools = names.map((name) => defineTool({ name, description: 'A tool.' }))
    expect(() => new FakePage().conversation({ tools })).toThrow(
      expect.objectContaining({ code: 'bad_tools' }) as Error,
    )
  })

  it('stamps each event, and tells the same to the run, the conversation and the client', async () => {
    const page = new FakePage(new ScriptedProvider('own', says('a', 'b')))
    const conversation = page.conversation()
    const heard: RunEvent[] = []
    const undo = conversation.on((event) => heard.push(event))
    const run = conversation.send('Hi')
    const own: RunEvent[] = []
    for await (const event of run) own.push(event)
    expect(own.every(({ turnId, at }) => turnId === run.turnId && at === page.clock.date().getTime())).toBe(true)
    expect(run.turnId).toMatch(/^turn/)
    expect([heard, page.events]).toEqual([own, own])
    undo()
    await conversation.send('Again').text()
    expect(heard).toEqual(own)
  })

  it('is known to the client as long as there is something to close', async () => {
    const own = new ScriptedProvider('own')
    const page = new FakePage(own)
    const conversation = page.conversation()
    expect(page.open.size).toBe(0)
    const run = conversation.send('Hi')
    expect(page.open.size).toBe(1)
    await run.text()
    expect(page.open.size).toBe(1)
    await Promise.all([...page.open].map(async (each) => each.close()))
    expect([page.open.size, own.session.closes]).toEqual([0, 1])
  })
})
