import { AgentError, type Prompt, type TurnEvent } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import {
  collectTurn,
  type FakePageTools,
  fakePageTools,
  type ModelStep,
  type ScriptedModelServer,
  scriptedModelServer,
  textOf,
} from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiModel, type ModelFacts, type ModelSessionOptions, openModelSession } from './index.js'

let server: ScriptedModelServer
beforeEach(async () => {
  server = await scriptedModelServer()
})
afterEach(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

function open(
  tools: FakePageTools = fakePageTools(),
  more: Partial<ModelSessionOptions> & { facts?: ModelFacts } = {},
) {
  const { facts, ...options } = more
  const model = createOpenAiModel({ baseUrl: server.url, model: 'm', serviceName: 'U', clock: systemClock, facts })
  return openModelSession({ model, tools, ...options })
}

const ask = async (session: ReturnType<typeof open>, prompt: string | Prompt = 'hi'): Promise<TurnEvent[]> =>
  collectTurn(session.prompt(typeof prompt === 'string' ? { text: prompt } : prompt, AbortSignal.timeout(20_000)))

type Message = {
  role: string
  content: unknown
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}
const messagesOf = (request: number): Message[] => server.exchanges[request - 1]?.body.messages as Message[]
const stopReason = (events: readonly TurnEvent[]): unknown =>
  events.flatMap((event) => (event.type === 'turn_end' ? [event.stopReason] : []))[0]

describe('a conversation', () => {
  it('remembers what was said, after the system prompt', async () => {
    server.answer([{ say: 'Hello.' }], [{ say: 'You said hi.' }])
    const session = open(fakePageTools(), { systemPrompt: 'Be brief.' })
    await ask(session)
    await ask(session, 'What did I say?')
    expect(messagesOf(2)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'What did I say?' },
    ])
  })

  it('asks for a stream with usage, and offers no tools where there are none', async () => {
    await ask(open())
    expect(server.exchanges[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('leaves reasoning out of what the model is sent', async () => {
    server.answer([{ think: 'secret' }, { say: 'Hi.' }])
    const session = open()
    await ask(session)
    await ask(session)
    expect(JSON.stringify(messagesOf(2))).not.toContain('secret')
  })

  it('reports what the whole turn has used', async () => {
    server.answer(
      [{ call: { name: 'get_cart' } }, { usage: { prompt_tokens: 100, completion_tokens: 7 } }],
      [{ say: 'Empty.' }, { usage: { prompt_tokens: 120, completion_tokens: 3 } }],
    )
    const events = await ask(open(fakePageTools({ get_cart: {} })))
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', inputTokens: 100, outputTokens: 7 },
      { type: 'usage', inputTokens: 220, outputTokens: 10 },
    ])
  })

  it.each<[string, ModelStep[], string]>([
    ['end_turn', [{ say: 'x' }], 'end_turn'],
    ['max_tokens', [{ say: 'x' }, { finish: 'length' }], 'max_tokens'],
    ['refusal', [{ say: 'x' }, { finish: 'content_filter' }], 'refusal'],
    ['an unknown reason', [{ say: 'x' }, { finish: 'eos' }], 'end_turn'],
    ['tool_calls without any', [{ say: 'x' }, { finish: 'tool_calls' }], 'end_turn'],
  ])('says why it stopped: %s', async (_name, steps, reason) => {
    server.answer(steps)
    expect(stopReason(await ask(open()))).toBe(reason)
  })

  it('shows the words of a refusal that come apart from the text', async () => {
    const chunk = '{"choices":[{"index":0,"delta":{"refusal":"I can\'t help with that."},"finish_reason":"stop"}]}'
    server.answer([{ raw: `data: ${chunk}\n\ndata: [DONE]\n\n` }])
    const events = await ask(open())
    expect(textOf(events)).toBe("I can't help with that.")
    expect(stopReason(events)).toBe('refusal')
  })

  it('stays valid after a turn that failed', async () => {
    server.answer([{ fail: { status: 400, body: { error: { message: 'no' } } } }], [{ say: 'Yes.' }])
    const session = open()
    await expect(ask(session)).rejects.toBeInstanceOf(AgentError)
    expect(textOf(await ask(session, 'again'))).toBe('Yes.')
    expect(messagesOf(2).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('stops asking when its reader leaves', async () => {
    server.answer([{ say: ['a', 'b'] }, { stall: true }])
    for await (const event of open().prompt({ text: 'hi' }, new AbortController().signal))
      if (event.type === 'text') break
    const exchange = await server.exchange(1)
    await exchange.closed
    expect(exchange.closedEarly).toBe(true)
  })

  it('runs no turn after it was closed', async () => {
    const session = open()
    await session.close()
    expect(await ask(session)).toEqual([{ type: 'turn_end', stopReason: 'cancelled' }])
    expect(server.exchanges).toHaveLength(0)
  })
})

describe('tool calls', () => {
  it('run side by side, and their results stand in the order of the calls', async () => {
    server.answer(
      [
        {
          call: [
            { name: 'slow', id: 'one' },
            { name: 'fast', id: 'two' },
          ],
        },
      ],
      [{ say: 'Both.' }],
    )
    let finishSlow = (): void => undefined
    const slow = new Promise<string>((resolve) => (finishSlow = () => resolve('slow result')))
    const tools = fakePageTools({
      slow: { run: () => slow },
      fast: {
        run: () => {
          setImmediate(finishSlow)
          return 'fast result'
        },
      },
    })
    const events = await ask(open(tools))
    expect(
      events.flatMap((event) => (event.type === 'tool_call' ? [`${event.toolCallId} ${event.status}`] : [])),
    ).toEqual(['one in_progress', 'two in_progress', 'two completed', 'one completed'])
    expect(messagesOf(2).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'one', content: 'slow result' },
      { role: 'tool', tool_call_id: 'two', content: 'fast result' },
    ])
  })

  it('get ids of their own when the model gives the same ones again', async () => {
    server.answer(
      [{ call: { name: 'get_cart', id: 'call_0' } }],
      [{ call: { name: 'get_cart', id: 'call_0' } }],
      [{ say: 'OK' }],
    )
    const events = await ask(open(fakePageTools({ get_cart: {} })))
    const ids = new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.toolCallId] : [])))
    expect(ids.size).toBe(2)
  })

  it('reach the model as an error when they fail', async () => {
    server.answer([{ call: { name: 'get_cart' } }], [{ say: 'Offline.' }])
    const tools = fakePageTools({
      get_cart: { run: () => ({ ok: false, code: 'page_error', error: 'The catalog is offline.' }) },
    })
    await ask(open(tools))
    expect(messagesOf(2)[2]?.content).toBe('{"error":"The catalog is offline."}')
  })

  it('of tools that do not exist are answered, and the turn goes on', async () => {
    server.answer([{ call: { name: 'launch rockets!' } }], [{ say: 'I have no rockets.' }])
    const events = await ask(open(fakePageTools({ get_cart: {} })))
    expect(textOf(events)).toBe('I have no rockets.')
    expect(messagesOf(2)[1]?.tool_calls?.[0]?.function.name).toBe('launch_rockets')
  })

  it('say that an image in a result is left out, and that a result is empty', async () => {
    server.answer([{ call: [{ name: 'photo' }, { name: 'nothing' }] }], [{ say: 'OK' }])
    const tools = fakePageTools({
      photo: {
        run: () => ({ ok: true, text: 'A mug', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
      },
      nothing: { run: () => ({ ok: true, text: '' }) },
    })
    await ask(open(tools))
    expect(
      messagesOf(2)
        .slice(2)
        .map(({ content }) => content),
    ).toEqual(["A mug\n[The tool also returned an image, which you can't see.]", '(empty)'])
  })

  it('may use a tool that the page declared during the turn', async () => {
    server.answer([{ call: { name: 'open_shop' } }], [{ call: { name: 'get_cart' } }], [{ say: 'OK' }])
    const tools = fakePageTools({ open_shop: {} })
    tools.declare('open_shop', { run: () => (tools.declare('get_cart'), 'open') })
    await ask(open(tools))
    expect(tools.calls.map(({ name }) => name)).toEqual(['open_shop', 'get_cart'])
  })
})

describe('the step limit', () => {
  const endless = { call: { name: 'get_cart' } }
  it.each([
    [undefined, 10],
    [1, 1],
    [0, 1],
    [-5, 1],
    [3, 3],
    [50, 50],
    [51, 50],
  ])('maxTurns %s allows %d steps; in the last one no tool is called', async (maxTurns, steps) => {
    server.answer(...Array.from({ length: steps + 1 }, () => [endless]))
    const tools = fakePageTools({ get_cart: {} })
    expect(stopReason(await ask(open(tools, { maxTurns })))).toBe('max_turns')
    expect(server.exchanges).toHaveLength(steps)
    expect(tools.calls).toHaveLength(steps - 1)
    expect(server.exchanges.map(({ body }) => body['tool_choice'])).toEqual([
      ...Array.from({ length: steps - 1 }, () => undefined),
      'none',
    ])
    const session = open(tools)
    await ask(session)
  })

  it('ends in order when the model answers in its last step', async () => {
    server.answer([endless], [{ say: 'Empty.' }])
    expect(stopReason(await ask(open(fakePageTools({ get_cart: {} }), { maxTurns: 2 })))).toBe('end_turn')
  })
})

describe('attachments', () => {
  const prompt: Prompt = {
    text: 'Look',
    attachments: [
      { type: 'text', text: 'a < b && </file> "x"', name: 'no"tes\n<1>.txt' },
      { type: 'text', text: 'plain' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA', name: 'cat.png' },
    ],
  }
  const files = [
    '<file name="no&quot;tes &lt;1&gt;.txt">a &lt; b &amp;&amp; &lt;/file&gt; "x"</file>',
    '<file name="file">plain</file>',
  ]

  it('are files with name and body escaped, and images where the model takes them', async () => {
    await ask(open(fakePageTools(), { facts: { images: true } }), prompt)
    expect(messagesOf(1)[0]?.content).toEqual([
      { type: 'text', text: 'Look' },
      ...files.map((text) => ({ type: 'text', text })),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
  })

  it('have a short note for an image where it does not', async () => {
    await ask(open(), prompt)
    expect(messagesOf(1)[0]?.content).toBe(
      ['Look', ...files, `[Image "cat.png" (image/png) left out: this AI can't see images.]`].join('\n\n'),
    )
  })
})

describe('a conversation that grows too long', () => {
  const page = 'word '.repeat(2_000)
  const tools = () => fakePageTools({ read_page: { run: () => page } })
  const turns = (count: number): ModelStep[][] =>
    Array.from({ length: count }, () => [[{ call: { name: 'read_page' } }], [{ say: 'Read.' }]] as ModelStep[][]).flat()

  it('has its oldest tool results shortened first, and says so to the AI', async () => {
    server.answer(...turns(4))
    const session = open(tools(), { facts: { contextTokens: 12_000 } })
    for (let turn = 0; turn < 4; turn += 1) await ask(session)
    const results = messagesOf(8).filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(4)
    expect(results[0]?.content).toMatch(/^word .*\[Shortened to fit into your context: .* Call the tool again/s)
    expect(results.at(-1)?.content).toBe(page)
  })

  it('has its oldest turns left out when that is not enough', async () => {
    server.answer(...Array.from({ length: 6 }, () => [{ say: 'OK' }]))
    const session = open(fakePageTools(), { facts: { contextTokens: 4_000 } })
    for (let turn = 0; turn < 6; turn += 1) await ask(session, `${turn} ${'x'.repeat(3_000)}`)
    const last = messagesOf(6)
    expect(last.length).toBeLessThan(11)
    expect(last[0]?.role).toBe('user')
    expect(String(last[0]?.content)).toMatch(/^\[Earlier parts of this conversation were left out/)
    expect(String(last.at(-1)?.content)).toMatch(/^5 x/)
  })

  it('has a single result cut that would not fit', async () => {
    server.answer(...turns(1))
    const session = open(tools(), { facts: { contextTokens: 3_000 } })
    await ask(session)
    const content = String(messagesOf(2)[2]?.content)
    expect(content.length).toBeLessThan(page.length)
    expect(content).toMatch(/\[Cut here to fit into your context: \d+ characters are missing\.\]$/)
  })

  it('is shortened and sent again when the service calls it too long', async () => {
    const tooLong: ModelStep[] = [
      { fail: { status: 400, body: { error: { code: 'context_length_exceeded', message: 'too long' } } } },
    ]
    server.answer(...turns(1), [{ call: { name: 'read_page' } }], tooLong, [{ say: 'Shorter.' }])
    const session = open(tools())
    await ask(session)
    const events = await ask(session)
    expect(textOf(events)).toBe('Shorter.')
    expect(events.filter(({ type }) => type === 'status')).toHaveLength(1)
    expect(JSON.stringify(messagesOf(5)).length).toBeLessThan(JSON.stringify(messagesOf(4)).length)
  })

  it('fails when nothing is left to take away', async () => {
    const tooLong: ModelStep[] = [{ fail: { status: 400, body: { error: { message: 'prompt is too long' } } } }]
    server.answer(tooLong, tooLong)
    await expect(ask(open())).rejects.toMatchObject({ code: 'too_long' })
    expect(server.exchanges).toHaveLength(1)
  })
})
