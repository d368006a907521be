/** The scripted models, asked as each agent asks its own service. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentScript, scriptedAgentModels, type ScriptedAgentModels } from '../index.js'

let models: ScriptedAgentModels

beforeEach(async () => {
  models = await scriptedAgentModels()
})
afterEach(async () => {
  await models.close()
})

async function post(path: string, body: unknown): Promise<string> {
  const answer = await fetch(models.url + path, { method: 'POST', body: JSON.stringify(body) })
  return answer.text()
}

const prompt = agentScript({ say: 'Looking' }, { call: 'search', args: { q: 'a "b]"' } }, { say: 'Found {{result}}' })

/** How each API says: the prompt, then what its tool gave. */
const APIS = [
  {
    api: 'anthropic',
    path: '/v1/messages?beta=true',
    ask: (stream: boolean, results: string[]) => ({
      stream,
      tools: [{ name: 'mcp__webmcp__search' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: `<system-reminder>${agentScript({ say: 'no' })}</system-reminder>` },
            { type: 'text', text: prompt },
          ],
        },
        ...results.flatMap((text) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'n', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text }] }] },
        ]),
      ],
    }),
    called: ['mcp__webmcp__search'],
  },
  {
    api: 'responses',
    path: '/v1/responses',
    ask: (_: boolean, results: string[]) => ({
      tools: [{ type: 'namespace', name: 'mcp__webmcp', tools: [{ type: 'function', name: 'search' }] }],
      input: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...results.map((output) => ({ type: 'function_call_output', call_id: 'x', output })),
      ],
    }),
    called: ['"namespace":"mcp__webmcp"', '"name":"search"'],
  },
  {
    api: 'gemini',
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    ask: (_: boolean, results: string[]) => ({
      tools: [{ functionDeclarations: [{ name: 'mcp_webmcp_search' }] }],
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...results.map((text) => ({ role: 'user', parts: [{ functionResponse: { response: { text } } }] })),
      ],
    }),
    called: ['mcp_webmcp_search'],
  },
] as const

describe.each(APIS)('$api', ({ api, path, ask, called }) => {
  it('plays the script of the prompt, one round for each result', async () => {
    const first = await post(path, ask(true, []))
    for (const words of ['Looking', ...called]) expect(first).toContain(words)
    expect(first).not.toContain('Found')
    const second = await post(path, ask(true, ['42 mugs']))
    expect(second).toContain('Found 42 mugs')
    expect(second).not.toContain('Looking')
    expect(models.requests.map((request) => request.api)).toEqual([api, api])
  })
})

it('answers in one piece where none is asked for', async () => {
  const [anthropic] = APIS
  expect(JSON.parse(await post(anthropic.path, anthropic.ask(false, [])))).toMatchObject({
    stop_reason: 'tool_use',
    content: [{ text: 'Looking' }, { name: 'mcp__webmcp__search', input: { q: 'a "b]"' } }],
  })
})

it('names the tools on offer when one is missing', async () => {
  const body = { messages: [{ role: 'user', content: prompt }], tools: [{ name: 'other' }] }
  expect(await post('/v1/messages', body)).toContain('No tool search among: other')
})

it('answers what has no script, questions with a schema, and everything else', async () => {
  expect(await post('/v1/messages', { messages: [{ role: 'user', content: 'a title?' }] })).toContain('"text":"OK"')
  const schema = {
    type: 'OBJECT',
    properties: { next: { type: 'STRING', enum: ['model', 'user'] }, why: { type: 'STRING' } },
  }
  const asked = { contents: [{ parts: [{ text: 'x' }] }], generationConfig: { responseJsonSchema: schema } }
  expect(await post('/v1beta/models/m:generateContent', asked)).toContain(
    JSON.stringify(JSON.stringify({ next: 'user', why: '' })).slice(1, -1),
  )
  expect(await post('/v1/messages/count_tokens', {})).toBe('{"input_tokens":10}')
  expect(models.others).toEqual(['POST /v1/messages/count_tokens'])
})

it('keeps a stalled answer open, and notes who hung up', async () => {
  const body = { stream: true, messages: [{ role: 'user', content: agentScript({ say: 'one' }, { stall: true }) }] }
  const abort = new AbortController()
  const answer = await fetch(`${models.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: abort.signal,
  })
  const reader = answer.body?.getReader()
  let text = ''
  while (!text.includes('one'))
    text += new TextDecoder().decode((await reader?.read())?.value as Uint8Array | undefined)
  expect(models.requests[0]?.aborted).toBe(false)
  abort.abort()
  await expect.poll(() => models.requests[0]?.aborted).toBe(true)
})
