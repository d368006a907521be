/** A whole turn with a tool on a real llama.cpp server and a small real model: skipped, with the reason, where there is none. */
import { AgentError } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import { collectTurn, fakePageTools, type LlamaCpp, startLlamaCpp, textOf } from '@leuria/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOpenAiService } from './index.js'

describe('with a real llama.cpp server', { timeout: 180_000 }, () => {
  let llama: LlamaCpp
  beforeAll(async () => {
    llama = await startLlamaCpp()
  }, 90_000)
  afterAll(async () => {
    if (llama.ok) await llama.close()
  })

  it("calls the page's tool, says what came back, and ends at once when the server is killed", async ({ skip }) => {
    if (!llama.ok) return skip(llama.reason)
    const service = createOpenAiService({
      provider: { id: 'llama', name: 'llama.cpp', baseUrl: llama.url },
      clock: systemClock,
    })
    expect((await service.refresh()).models).toMatchObject([{ id: 'smollm2-135m', contextTokens: 2_048 }])
    const tools = fakePageTools({
      count_stock: {
        description: 'Counts the items in stock.',
        inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
        run: () => '17',
      },
    })
    const session = await service.openAgent().open({
      sessionId: 's',
      tools,
      mcp: { url: 'http://127.0.0.1:9/webmcp/mcp', token: 't' },
      signal: new AbortController().signal,
      log: () => undefined,
    })
    const ask = (text: string) => session.prompt({ text }, new AbortController().signal)
    const events = await collectTurn(ask('How many blue mugs are in stock?'))
    expect(tools.calls).toMatchObject([{ name: 'count_stock', arguments: { item: 'blue mugs' } }])
    expect(textOf(events)).toContain('17')
    expect(events.filter(({ type }) => type === 'usage')).not.toEqual([])
    expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'end_turn' })

    const turn = ask('Tell me a long story about a blue mug.')[Symbol.asyncIterator]()
    await turn.next()
    llama.kill()
    const rest = async (): Promise<void> => {
      while ((await turn.next()).done !== true);
    }
    await expect(rest()).rejects.toBeInstanceOf(AgentError)
    await session.close()
    service.close()
  })
})
