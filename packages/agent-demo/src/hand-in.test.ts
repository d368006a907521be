/** Answers of a given shape, handed in with the page's `submit_result` tool: only what stands in the text, and said so. */
import { fakePageTools, type FakePageTools, type FakeToolRun } from '@leuria/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, openDemo } from './ask.fixture.js'

const BOOKING = {
  type: 'object',
  properties: {
    from: { type: 'string', description: 'Who wrote it (guest, name)' },
    email: { type: 'string', format: 'email' },
    arrival: { type: 'string', format: 'date' },
    nights: { type: 'integer', minimum: 1 },
    breakfast: { type: 'boolean' },
    room: { enum: ['single', 'double'] },
    note: { type: 'string' },
    extras: {
      type: 'array',
      items: { type: 'object', properties: { count: { type: 'integer' }, name: { type: 'string' } } },
    },
  },
}

const LETTER = `From: Ada Lovelace
Mail: ada@example.org

A double room for 3 nights, please, from 2026-12-04 on, without breakfast.
- 2 x towels
- 1 cot for a child

Note: we come late`

const wanting = (run?: FakeToolRun, inputSchema: object = BOOKING): FakePageTools =>
  fakePageTools({ submit_result: { inputSchema: { ...inputSchema }, ...(run === undefined ? {} : { run }) } })

async function read(text: string, schema: object): Promise<unknown> {
  const tools = wanting(undefined, schema)
  await ask(await openDemo(tools), text)
  return tools.calls[0]?.arguments
}
const fields = (properties: object): object => ({ type: 'object', properties })

describe('an answer of a given shape', () => {
  it('is read from labels, forms, neighbours and lists, and handed in once', async () => {
    const tools = wanting()
    const { text } = await ask(await openDemo(tools), LETTER)
    expect(tools.calls).toHaveLength(1)
    expect(tools.calls[0]?.arguments).toEqual({
      from: 'Ada Lovelace',
      email: 'ada@example.org',
      arrival: '2026-12-04',
      nights: 3,
      breakfast: false,
      room: 'double',
      note: 'we come late',
      extras: [
        { count: 2, name: 'towels' },
        { count: 1, name: 'cot for a child' },
      ],
    })
    expect(text).toMatch(/^I am a demo without a model: .*please look over it\.$/)
  })

  it('leaves out what does not stand there, and says so', async () => {
    const tools = wanting()
    const { text } = await ask(await openDemo(tools), 'Hello! Do you have a single room?')
    expect(tools.calls[0]?.arguments).toEqual({ room: 'single' })
    expect(text).toContain('I found nothing for from, email, arrival, nights, breakfast and note')
  })

  const FITS: Record<string, { text: string; properties: object; expected: object }> = {
    'no number out of bounds': {
      text: 'nights: 0',
      properties: { nights: { type: 'integer', minimum: 1 } },
      expected: {},
    },
    'a number within them': {
      text: 'nights: 1',
      properties: { nights: { type: 'integer', minimum: 1 } },
      expected: { nights: 1 },
    },
    'no part where a whole is wanted': {
      text: '2.5 nights',
      properties: { nights: { type: 'integer' } },
      expected: {},
    },
    'a yes by its name alone': {
      text: 'With breakfast, thanks',
      properties: { breakfast: { type: 'boolean' } },
      expected: { breakfast: true },
    },
    'a no in its line': {
      text: 'Breakfast: no',
      properties: { breakfast: { type: 'boolean' } },
      expected: { breakfast: false },
    },
    'a list of texts': {
      text: '* one\n* two',
      properties: { steps: { type: 'array', items: { type: 'string' } } },
      expected: { steps: ['one', 'two'] },
    },
    'fields inside of fields': {
      text: 'City: Bern',
      properties: { to: fields({ city: { type: 'string' } }) },
      expected: { to: { city: 'Bern' } },
    },
    'nothing from a label that only shares a word': {
      text: 'Room key: 12',
      properties: { room: { type: 'string' } },
      expected: {},
    },
  }
  it.each(Object.entries(FITS))('reads %s', async (_, { text, properties, expected }) => {
    expect(await read(text, fields(properties))).toEqual(expected)
  })

  it('tells when the page does not take it', async () => {
    const tools = wanting(() => ({ ok: false, code: 'page_error', error: 'There is no date.' }))
    const { text } = await ask(await openDemo(tools), LETTER)
    expect(text).toContain('There is no date.')
    expect(text).not.toContain('please look over it')
  })

  it('never fails, whatever the text', async () => {
    const session = await openDemo(wanting())
    const line = fc.oneof(fc.string(), fc.constantFrom('From: ', '- 2 x', ':::', '1.', '- ', '=', 'Note: a=b'))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const { events } = await ask(session, lines.join('\n'))
        expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'end_turn' })
      }),
    )
  })
})
