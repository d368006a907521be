/** What the demo AI says and reports: answers from results, questions back, failures, steps, cancelling. */
import type { TurnEvent } from '@leuria/agent'
import { DEMO_AGENT_ID } from '@leuria/protocol'
import { fakeClock, fakePageTools, waitingTool, type FakeTool, type FakeToolRun } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { ask, openDemo } from './ask.fixture.js'
import { createDemoAgent, DEMO_AGENT_NAME } from './index.js'

const finding = (run: FakeToolRun): Record<string, FakeTool> => ({
  find_boats: {
    description: 'Finds boats for rent.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    run,
  },
})
const json =
  (value: unknown): FakeToolRun =>
  () =>
    JSON.stringify(value)

const renting: FakeTool = {
  description: 'Rents a boat.',
  inputSchema: {
    type: 'object',
    properties: { boatId: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 4, default: 1 } },
    required: ['boatId'],
  },
}

const statuses = (events: readonly TurnEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'tool_call' ? [event.status] : []))

async function answerTo(value: unknown): Promise<string> {
  const session = await openDemo(fakePageTools(finding(typeof value === 'string' ? () => value : json(value))))
  return (await ask(session, 'Find boats with sails')).text
}

describe('answers', () => {
  it('tells a list of things by name with their details, ids left out', async () => {
    const text = await answerTo([
      { id: 'b1', name: 'Heron', seats: 4, free: true, rent: { amount: 35, currency: 'EUR' } },
      { id: 'b2', name: 'Otter', seats: 2, free: false, rent: { amount: 20.5, currency: 'EUR' } },
    ])
    expect(text).toBe(
      'There are 2 results:\n• Heron: seats 4, free yes, rent €35.00\n• Otter: seats 2, free no, rent €20.50',
    )
  })

  it('lets sentences stand by themselves', async () => {
    const boats = [{ name: 'Heron', seats: 4, about: 'Calm in any wind, and fast.' }]
    expect(await answerTo({ note: 'Only one is free.', boats })).toBe(
      'Only one is free.\nThere is one:\n• Heron: seats 4. Calm in any wind, and fast.',
    )
  })

  it('guesses no currency', async () => {
    expect(await answerTo([{ name: 'Heron', rent: 35.5 }])).toBe('There is one:\n• Heron: rent 35.5')
  })

  it('says when nothing was found', async () => {
    expect(await answerTo([])).toBe('“find boats” found nothing.')
    expect(await answerTo({ count: 0, boats: [] })).toBe('There are no boats.')
  })

  it('passes on what a page says in sentences', async () => {
    expect(await answerTo('The harbour is closed today.')).toBe('The harbour is closed today.')
    expect(await answerTo({ ok: true, message: 'Two boats are free.' })).toBe('Two boats are free.')
  })

  it('does not call it a success when the page says otherwise', async () => {
    expect(await answerTo({ ok: false, message: 'The harbour is closed.' })).toContain('did not work')
    expect(await answerTo({ error: 'No boats on Sundays' })).toBe(
      'The page says that it did not work: No boats on Sundays',
    )
  })

  it('counts what it leaves out of a long list', async () => {
    const text = await answerTo(Array.from({ length: 30 }, (_, number) => ({ name: `Boat ${number}` })))
    expect(text.split('\n')).toHaveLength(10)
    expect(text).toMatch(/… and 22 more\.$/)
  })

  it('copes with any JSON', async () => {
    for (const value of [null, 3, true, '', [[1, 2], ['a']], { a: { b: { c: { d: { e: 1 } } } } }, [null, 1], {}]) {
      expect((await answerTo(value)).trim()).not.toBe('')
    }
  })

  it('takes control and direction characters out of a page’s text', async () => {
    expect(await answerTo([{ name: 'He\u202er\u0000on\ud800' }])).toBe('There is one:\n• Heron')
  })

  it('prefers structured content and mentions images', async () => {
    const tools = fakePageTools(
      finding(() => ({
        ok: true,
        text: 'ignored',
        structuredContent: { boats: [{ name: 'Heron' }] },
        content: [{ type: 'image', data: '', mimeType: 'image/png' }],
      })),
    )
    const { text } = await ask(await openDemo(tools), 'Find boats with sails')
    expect(text).toBe('There is one:\n• Heron\nThe page also sent an image.')
  })
})

describe('what it says without a call', () => {
  it('lists what the page offers when nothing fits', async () => {
    const tools = fakePageTools(finding(() => 'ok'))
    const { text } = await ask(await openDemo(tools), 'Why is the sky dark at night?')
    expect(text).toContain('without a model')
    expect(text).toContain('• find boats: Finds boats for rent.')
    expect(tools.calls).toHaveLength(0)
  })

  it('says so when the page offers nothing', async () => {
    const { text, events } = await ask(await openDemo(fakePageTools()), 'Find boats')
    expect(text).toContain('no tools')
    expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'end_turn' })
  })

  it('sees tools that the page declares later', async () => {
    const tools = fakePageTools()
    const session = await openDemo(tools)
    await ask(session, 'Find boats with sails')
    tools.declare('find_boats', finding(() => 'ok').find_boats)
    await ask(session, 'Find boats with sails')
    expect(tools.calls).toHaveLength(1)
  })

  it('never does one thing when another is asked for', async () => {
    const tools = fakePageTools({ create_booking: { description: 'Creates a booking.' } })
    await ask(await openDemo(tools), 'Delete my booking')
    expect(tools.calls).toHaveLength(0)
  })

  it('asks back for what is missing and uses the answer', async () => {
    const tools = fakePageTools({
      set_volume: {
        description: 'Sets the volume of a room.',
        inputSchema: {
          type: 'object',
          properties: { room: { enum: ['hall', 'attic'] }, level: { type: 'integer', minimum: 0, maximum: 10 } },
          required: ['room', 'level'],
        },
      },
    })
    const session = await openDemo(tools)
    const first = await ask(session, 'Set the volume in the attic')
    expect(first.text).toBe('To use “set volume” I still need the level (a whole number from 0 to 10). Please tell me.')
    await ask(session, '7')
    expect(tools.calls.map((call) => call.arguments)).toEqual([{ room: 'attic', level: 7 }])
  })

  it('names a number that lies out of bounds instead of bending it', async () => {
    const tools = fakePageTools({ ...finding(json([{ id: 'b1', name: 'Heron' }])), rent_boat: renting })
    const session = await openDemo(tools)
    await ask(session, 'Find boats with sails')
    const { text } = await ask(session, 'Rent 9 of them')
    expect(text).toBe('9 does not fit: the count (a whole number from 1 to 4) is what “rent boat” takes.')
    expect(tools.calls).toHaveLength(1)
    await ask(session, 'Then 3')
    expect(tools.calls[1]?.arguments).toEqual({ boatId: 'b1', count: 3 })
  })

  it('leaves a question alone that means something else than what was asked back', async () => {
    const tools = fakePageTools({
      ...finding(json([{ id: 'b1', name: 'Heron' }])),
      rent_boat: renting,
      list_rentals: { description: 'Lists what is rented.' },
    })
    const session = await openDemo(tools)
    await ask(session, 'Find boats with sails')
    for (const other of ['What is rented?', 'Delete the harbour', 'Find boats with oars']) {
      await ask(session, 'Rent 9 of them')
      await ask(session, other)
    }
    expect(tools.calls.map((call) => call.name)).toEqual(['find_boats', 'list_rentals', 'find_boats'])
  })

  it('says that it cannot read attachments', async () => {
    const session = await openDemo(fakePageTools(finding(() => 'ok')))
    const events: TurnEvent[] = []
    const prompt = { text: 'Find boats', attachments: [{ type: 'text' as const, text: 'x' }] }
    for await (const event of session.prompt(prompt, new AbortController().signal)) events.push(event)
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toMatch(
      /^I can’t look at attachments/,
    )
  })
})

describe('references', () => {
  const tools = (): ReturnType<typeof fakePageTools> =>
    fakePageTools({
      ...finding(({ query }) =>
        JSON.stringify(
          String(query).includes('submarine')
            ? []
            : [
                { id: 'b1', name: 'Heron' },
                { id: 'b2', name: 'Otter' },
              ],
        ),
      ),
      rent_boat: renting,
    })

  it('says which one it took when several were meant', async () => {
    const page = tools()
    const session = await openDemo(page)
    await ask(session, 'Find boats with sails')
    expect((await ask(session, 'Rent it')).text).toMatch(/^2 things fit; I took the first, “Heron”\./)
    expect(page.calls[1]?.arguments).toEqual({ boatId: 'b1' })
  })

  it('goes no further when the thing is not found', async () => {
    const page = tools()
    const { text } = await ask(await openDemo(page), 'Rent the yellow submarine')
    expect(page.calls.map((call) => call.name)).toEqual(['find_boats'])
    expect(text).toContain('found nothing of that name')
  })

  it('asks which one when what was found has other names', async () => {
    const page = tools()
    const session = await openDemo(page)
    const { text } = await ask(session, 'Rent the Flying Dutchman')
    expect(page.calls.map((call) => call.name)).toEqual(['find_boats'])
    expect(text).toContain('I know of “Heron” and “Otter”')
    await ask(session, 'the second one')
    expect(page.calls[1]).toMatchObject({ name: 'rent_boat', arguments: { boatId: 'b2' } })
  })

  it('forgets nothing between turns and keeps sessions apart', async () => {
    const page = tools()
    const [one, other] = [await openDemo(page), await openDemo(page)]
    await ask(one, 'Find boats with sails')
    await ask(other, 'Rent it')
    expect(page.calls).toHaveLength(1)
    await ask(one, 'Rent the Otter')
    expect(page.calls[1]?.arguments).toEqual({ boatId: 'b2' })
  })
})

describe('calls', () => {
  it('reports a call as it begins and ends', async () => {
    const { events } = await ask(await openDemo(fakePageTools(finding(() => 'ok'))), 'Find boats with sails')
    expect(events.filter((event) => event.type === 'tool_call')).toEqual([
      {
        type: 'tool_call',
        toolCallId: 'demo-1',
        title: 'find boats',
        toolName: 'mcp__webmcp__find_boats',
        status: 'in_progress',
      },
      {
        type: 'tool_call',
        toolCallId: 'demo-1',
        title: 'find boats',
        toolName: 'mcp__webmcp__find_boats',
        status: 'completed',
      },
    ])
  })

  it('tells every kind of failure in plain words', async () => {
    const codes = ['unknown_tool', 'invalid_arguments', 'over_budget', 'not_connected', 'page_error'] as const
    const others = ['timed_out', 'cancelled', 'session_ended', 'too_large'] as const
    for (const code of [...codes, ...others]) {
      const tools = fakePageTools(finding(() => ({ ok: false, code, error: 'The pier is wet.' })))
      const { text, events } = await ask(await openDemo(tools), 'Find boats with sails')
      expect(statuses(events)).toEqual(['in_progress', 'failed'])
      expect(text).not.toContain(code)
      if (code === 'page_error') expect(text).toContain('The pier is wet.')
    }
  })

  it('stops at the limit of steps and says so', async () => {
    const tools = fakePageTools({ ...finding(json([{ id: 'b1', name: 'Heron' }])), rent_boat: renting })
    const { text, events } = await ask(await openDemo(tools, { maxTurns: 1 }), 'Rent the Heron')
    expect(tools.calls).toHaveLength(1)
    expect(text).toContain('all the steps')
    expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'max_turns' })
  })

  it('does the same each time', async () => {
    const run = async (): Promise<TurnEvent[]> =>
      (await ask(await openDemo(fakePageTools(finding(json([{ id: 1, name: 'Heron' }])))), 'Find boats with sails'))
        .events
    expect(await run()).toEqual(await run())
  })
})

describe('stopping', () => {
  it('ends a turn during a call at once, though the page never answers', async () => {
    const tools = fakePageTools(finding(() => new Promise(() => undefined)))
    const session = await openDemo(tools)
    const cancel = new AbortController()
    const asked = ask(session, 'Find boats with sails', cancel.signal)
    await tools.called(1)
    cancel.abort()
    const { events } = await asked
    expect(statuses(events)).toEqual(['in_progress', 'failed'])
    expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
  })

  it('ends a running turn when it is closed, and refuses the next one', async () => {
    const tools = fakePageTools(finding(waitingTool.run ?? (() => '')))
    const session = await openDemo(tools)
    const asked = ask(session, 'Find boats with sails')
    await tools.called(1)
    await session.close()
    expect((await asked).events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
    await expect(ask(session, 'Find boats')).rejects.toMatchObject({ name: 'AgentError', code: 'failed' })
  })

  it('stops between two words', async () => {
    const clock = fakeClock()
    const agent = createDemoAgent({ clock })
    const session = await agent.open({
      sessionId: 's',
      tools: fakePageTools(),
      mcp: { url: '', token: '' },
      signal: new AbortController().signal,
      log: () => undefined,
    })
    const cancel = new AbortController()
    const asked = ask(session, 'hello', cancel.signal)
    await clock.advanceAsync(30)
    cancel.abort()
    const { events, text } = await asked
    expect(text).toBe('This page offers')
    expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
  })

  it('does not open when the session has ended meanwhile', async () => {
    const open = createDemoAgent().open({
      sessionId: 's',
      tools: fakePageTools(),
      mcp: { url: '', token: '' },
      signal: AbortSignal.abort(),
      log: () => undefined,
    })
    await expect(open).rejects.toMatchObject({ name: 'AgentError' })
  })
})

describe('the adapter', () => {
  it('says in its name that it has no model', () => {
    const agent = createDemoAgent()
    expect([agent.id, agent.name]).toEqual([DEMO_AGENT_ID, DEMO_AGENT_NAME])
    expect([agent.id, agent.name]).toEqual(['demo', 'Demo AI (no model)'])
  })

  it('paces a long answer to at most a second and a half', async () => {
    const clock = fakeClock()
    const long = Array.from({ length: 450 }, (_, number) => `word${number}`).join(' ')
    const session = await createDemoAgent({ clock }).open({
      sessionId: 's',
      tools: fakePageTools(finding(() => long)),
      mcp: { url: '', token: '' },
      signal: new AbortController().signal,
      log: () => undefined,
    })
    let done = false
    const asked = ask(session, 'Find boats with sails').then((result) => {
      done = true
      return result
    })
    await clock.advanceAsync(1_501)
    expect(done).toBe(true)
    expect((await asked).text).toBe(long)
  })
})
