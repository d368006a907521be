/** Whether the test tells an AI that works from one that doesn't, and why. */
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { type AgentAdapter, AgentError } from '@leuria/agent'
import { createDemoAgent } from '@leuria/agent-demo'
import { createOllamaService } from '@leuria/agent-ollama'
import { createOpenAiService } from '@leuria/agent-openai'
import { systemClock } from '@leuria/clock'
import type { AgentSource } from '@leuria/engine'
import {
  autoAnswer,
  type ModelAnswer,
  type ScriptedModelServer,
  scriptedModelServer,
  scriptedOllama,
  scriptedAgent,
  fakeClock,
} from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { runSelfTest, type SelfTestOptions, type SelfTestStep } from './index.js'

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function source(resolve: () => Promise<AgentAdapter>): AgentSource {
  return { nameFor: () => 'Tested', idFor: () => 'tested', find: () => null, resolve }
}

/** An AI behind a scripted server. */
async function model(...answers: ModelAnswer[]): Promise<AgentSource> {
  const server: ScriptedModelServer = await scriptedModelServer({ answers })
  const provider = { id: 'mine', name: 'Mine', baseUrl: server.url }
  const service = createOpenAiService({ provider, clock: systemClock })
  closing.push(() => {
    service.close()
    return server.close()
  })
  return source(() => Promise.resolve(service.openAgent('test-model')))
}

const test = (agents: AgentSource, more: Partial<SelfTestOptions> = {}) => runSelfTest({ agents, ...more })
const CALL = { call: { name: 'count_stock', arguments: { product: 'lamp' } } }
const auto: ModelAnswer = (exchange) => exchange.play(autoAnswer(exchange.body))

describe('an AI that works', () => {
  it('starts, asks the page and answers with what only the page knows', async () => {
    const steps: SelfTestStep[] = []
    const result = await test(await model(auto, auto), { onStep: (step) => steps.push(step) })
    expect(result).toEqual({
      ok: true,
      steps: [
        { name: 'Starts', ok: true, detail: 'It is ready.' },
        { name: "Uses a page's tool", ok: true, detail: expect.stringMatching(/answered: “.*\d{3}/) as unknown },
      ],
    })
    expect(steps).toEqual(result.steps)
  })

  it('may be the demo AI', async () => {
    const result = await test(source(() => Promise.resolve(createDemoAgent({ clock: systemClock }))))
    expect(result).toMatchObject({ ok: true })
  })

  it('tells what it is busy with before it answers', async () => {
    const server = await scriptedOllama({ otherwise: auto })
    const provider = { id: 'ollama', name: 'Ollama', baseUrl: server.url }
    const service = createOllamaService({ provider, clock: systemClock, env: {} })
    closing.push(() => {
      service.close()
      return server.close()
    })
    server.ollama.load_stalls = true
    const said: string[] = []
    const result = test(
      source(() => Promise.resolve(service.openAgent())),
      {
        onStatus: (text) => {
          said.push(text)
          for (const load of server.loads) load.finish()
        },
      },
    )
    expect(await result).toMatchObject({ ok: true })
    expect(said.join()).toContain('llama3.2')
  })
})

describe('an AI that does not work', () => {
  it.each<[string, ModelAnswer[], RegExp]>([
    ['guesses', [[{ say: 'About 12.' }]], /without asking the page: “About 12\.”/],
    ['says nothing at all', [[{ finish: 'stop' }]], /neither asked|no answer|empty|nothing/i],
    ['asks and then tells something else', [[CALL], [{ say: 'There are 7.' }]], /isn't what the page said: “There/],
    ['is refused by its service', [[{ fail: { status: 400, body: { error: { message: 'no' } } } }]], /no/],
  ])('%s', async (_, answers, detail) => {
    const result = await test(await model(...answers))
    expect(result.ok).toBe(false)
    expect(result.steps.at(-1)).toMatchObject({ name: "Uses a page's tool", ok: false })
    expect(result.steps.at(-1)?.detail).toMatch(detail)
  })

  it('is told by the reason why it did not start, and asked nothing', async () => {
    const agents = source(() => Promise.reject(new AgentError('unavailable', 'Ollama is not running.')))
    expect(await test(agents)).toEqual({
      ok: false,
      steps: [{ name: 'Starts', ok: false, detail: expect.stringContaining('Ollama is not running.') as unknown }],
    })
  })

  it('has three minutes for its answer, and not more', async () => {
    const clock = fakeClock()
    const agent = scriptedAgent({ clock, turns: [[{ type: 'hang' }]] })
    const running = test(
      source(() => Promise.resolve(agent)),
      { clock },
    )
    await expect.poll(() => agent.sessions[0]?.turns.length, { interval: 5 }).toBe(1)
    await clock.advanceAsync(179_999)
    const moving = setInterval(() => clock.advance(50), 1)
    const result = await running.finally(() => {
      clearInterval(moving)
    })
    expect(result.steps.at(-1)).toMatchObject({ ok: false, detail: 'It gave no answer in three minutes.' })
  })
})

it('can be stopped at any moment, and leaves nothing behind', async () => {
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith('leuria-self-test-'))
  const stop = new AbortController()
  const agents = await model((exchange) => {
    stop.abort()
    return exchange.play([{ stall: true }])
  })
  const result = await test(agents, { signal: stop.signal })
  expect(result.steps.at(-1)).toMatchObject({ ok: false, detail: 'The test was stopped.' })
  expect(await test(agents, { signal: stop.signal })).toMatchObject({
    steps: [{ ok: false, detail: 'The test was stopped.' }],
  })
  const after = (await readdir(tmpdir())).filter((name) => name.startsWith('leuria-self-test-'))
  expect(after).toEqual(before)
})
