import { type FakeLanguageModel, type FakeLanguageModelOptions, fakeLanguageModel } from '@leuria/testing/browser-fakes'
import { settle } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { browserAI, type BrowserAIOptions } from './browser-ai-provider.js'
import type { ProviderState, SessionOptions } from './provider.js'
import { assistantMessage, sessionOptions, startTurn, userMessage } from './turn.fixture.js'

const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0)) each()
})

function install(options?: FakeLanguageModelOptions): FakeLanguageModel {
  const fake = fakeLanguageModel(options)
  undo.push(fake.install())
  return fake
}

interface Scene {
  model?: FakeLanguageModelOptions
  session?: Partial<SessionOptions>
  options?: BrowserAIOptions
}

async function open({ model, session, options }: Scene = {}) {
  const fake = install(model)
  const opened = await browserAI(options).createSession(sessionOptions(session))
  return { fake, session: opened, inside: fake.sessions[0]! }
}

describe("the browser's AI: where it stands", () => {
  it.each([
    ['unavailable', { status: 'unavailable', detail: 'This browser has no AI of its own.' }],
    ['downloadable', { status: 'needs-action', action: 'download' }],
    ['downloading', { status: 'downloading' }],
    ['available', { status: 'ready' }],
  ] as const)('is told as the browser tells it: %s', async (availability, state) => {
    install({ availability })
    const provider = browserAI()
    expect(provider.getState()).toEqual({ status: 'unknown', capabilities: ['chat', 'structured'] })
    await provider.detect()
    expect(provider.getState()).toEqual({ capabilities: ['chat', 'structured'], ...state })
  })

  it('is unavailable where there is no Prompt API, or one that fails', async () => {
    const provider = browserAI({ id: 'own', label: 'Own' })
    await provider.detect()
    expect(provider).toMatchObject({ id: 'own', label: 'Own', locality: 'device' })
    expect(provider.getState().status).toBe('unavailable')
    await expect(provider.connect()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(provider.createSession(sessionOptions())).rejects.toMatchObject({ code: 'browser_failed' })
    const fake = install()
    fake.api.availability = () => Promise.reject(new TypeError('no such language'))
    await provider.detect()
    expect(provider.getState().status).toBe('unavailable')
  })

  it('asks with the languages and tools it will use', async () => {
    const fake = install()
    await browserAI({ languages: ['en', 'ja'], tools: true }).detect()
    await browserAI().detect()
    const text = { type: 'text', languages: ['en', 'ja'] }
    expect(fake.asked).toEqual([
      { expectedInputs: [text, { type: 'tool-response' }], expectedOutputs: [text, { type: 'tool-call' }] },
      {},
    ])
    expect(browserAI({ tools: true }).getState().capabilities).toEqual(['chat', 'structured', 'tools'])
  })
})

describe("the browser's AI: the download", () => {
  it('begins inside the click, tells its progress, and ends ready', async () => {
    const fake = install({ availability: 'downloadable' })
    const provider = browserAI()
    await provider.detect()
    const seen: ProviderState[] = []
    provider.subscribe(() => seen.push(provider.getState()))
    fake.userActivation = true
    const connected = provider.connect()
    // The click is over: whatever comes later may not begin a download.
    fake.userActivation = false
    fake.progress(0.25)
    const again = provider.connect()
    await provider.detect()
    fake.finishDownload()
    await Promise.all([connected, again])
    const capabilities = ['chat', 'structured']
    expect(seen).toEqual([
      { status: 'downloading', capabilities, progress: 0 },
      { status: 'downloading', capabilities, progress: 0.25 },
      { status: 'downloading', capabilities, progress: 1 },
      { status: 'ready', capabilities },
    ])
    expect(fake.sessions.map(({ isDestroyed }) => isDestroyed)).toEqual([true])
  })

  it('needs a click, and may be tried again', async () => {
    const fake = install({ availability: 'downloadable' })
    const provider = browserAI()
    await expect(provider.connect()).rejects.toMatchObject({ name: 'LeuriaError', code: 'not_allowed' })
    expect(provider.getState()).toMatchObject({ status: 'needs-action', action: 'download' })
    fake.userActivation = true
    const failing = provider.connect()
    await settle()
    fake.failDownload()
    await expect(failing).rejects.toMatchObject({ code: 'browser_failed' })
    expect(provider.getState()).toMatchObject({ status: 'needs-action', action: 'download' })
    const working = provider.connect()
    await settle()
    fake.finishDownload()
    await working
    expect(provider.getState().status).toBe('ready')
  })
})

describe("a conversation with the browser's AI", () => {
  it('starts with the system prompt and the past, tool calls in words', async () => {
    const { inside, session } = await open({
      session: {
        system: 'Be kind.',
        history: [
          userMessage('one', [
            { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,notes', filename: 'a.txt' },
          ]),
          assistantMessage(
            { type: 'tool-call', callId: 'c', name: 'get_cart', args: {}, state: 'done', result: 2 },
            { type: 'text', text: 'Two.' },
          ),
        ],
      },
    })
    expect(inside.options.initialPrompts).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: '<file name="a.txt">\nnotes\n</file>\n\none' },
      { role: 'assistant', content: '[get_cart({}) gave 2]\nTwo.' },
    ])
    expect(inside.options).not.toHaveProperty('tools')
    await session.warm?.()
  })

  it('streams, remembers, takes text files in and leaves pictures out', async () => {
    const { inside, session } = await open({
      model: {
        answers: [
          ['Hel', 'lo'],
          [{ thought: 'hm' }, 'Yes'],
        ],
      },
    })
    const picture = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' } as const
    const turn = startTurn(session, 'hi', { files: [picture] })
    expect(await turn.done).toEqual({ text: 'Hello' })
    expect(turn.texts).toEqual(['Hel', 'lo'])
    const next = startTurn(session, 'and?')
    expect(await next.done).toEqual({ text: 'Yes' })
    expect(next.thoughts).toEqual(['hm'])
    expect(inside.history.map(({ content }) => content)).toEqual(['hi', 'Hello', 'and?', 'Yes'])
  })

  it('reads browsers that stream the whole text again and again', async () => {
    const { session } = await open({ model: { old: true, answers: [['ha', 'ha', '!']] } })
    const turn = startTurn(session, 'laugh')
    expect(await turn.done).toEqual({ text: 'haha!' })
    expect(turn.texts).toEqual(['ha', 'ha', '!'])
  })

  it('takes no piece for a repetition in browsers that stream pieces', async () => {
    const { session } = await open({ model: { answers: [['ha', 'haha', 'ha']] } })
    expect(await startTurn(session, 'laugh').done).toEqual({ text: 'hahahaha' })
  })

  it('asks for JSON of a shape', async () => {
    const schema = { type: 'object' }
    const { inside, session } = await open({ session: { schema } })
    await startTurn(session, 'go').done
    expect(inside.prompts[0]?.responseConstraint).toBe(schema)
  })

  it.each([false, true])('runs tools of the page (handed over: %s)', async (openLoop) => {
    const { inside, session } = await open({
      options: { tools: true },
      model: { openLoop, answers: [[{ call: { name: 'add', args: { n: 1 } } }, { call: { name: 'bad' } }, 'Done.']] },
      session: {
        tools: [
          { name: 'add', description: 'Adds.' },
          { name: 'bad', description: 'Fails.' },
        ],
      },
    })
    const turn = startTurn(session, 'go', {
      runTool: ({ name }) => (name === 'add' ? { ok: true, result: { sum: 2 } } : { ok: false, error: 'No.' }),
    })
    expect(await turn.done).toEqual({ text: openLoop ? 'Done.OK' : 'Done.' })
    expect(turn.calls).toEqual([
      { name: 'add', args: { n: 1 } },
      { name: 'bad', args: {} },
    ])
    expect(inside.options.tools?.[0]).toMatchObject({ name: 'add', inputSchema: { type: 'object', properties: {} } })
    if (!openLoop) return
    const result = (callId: string, name: string, value: string) => {
      return { type: 'tool-response', value: { callId, name, result: [{ type: 'text', value }] } }
    }
    expect(inside.history[2]).toEqual({
      role: 'user',
      content: [result('c1', 'add', '{"sum":2}'), result('c2', 'bad', '{"error":"No."}')],
    })
  })

  it('hands over calls only so often', async () => {
    const { session } = await open({
      options: { tools: true },
      model: { openLoop: true, answers: Array.from({ length: 9 }, () => [{ call: { name: 'add' } }]) },
      session: { tools: [{ name: 'add', description: 'Adds.' }], maxSteps: 2 },
    })
    const turn = startTurn(session, 'go')
    await turn.done
    expect(turn.calls).toHaveLength(3)
  })

  it('runs no tool outside a turn', async () => {
    const { inside } = await open({ session: { tools: [{ name: 'add', description: 'Adds.' }] } })
    expect(await inside.options.tools?.[0]?.execute?.({})).toBe('The turn is over.')
  })

  it('stops at once, and remembers what was said although the browser forgets it', async () => {
    const { inside, session } = await open({ model: { answers: [['Once', { hang: true }]] } })
    const turn = startTurn(session, 'a story')
    while (turn.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    turn.stop()
    expect(await turn.done).toEqual({ text: 'Once' })
    expect(session.closed).toBe(false)
    await startTurn(session, 'go on').done
    expect(inside.history.map(({ content }) => content)).toEqual(['a story', 'Once', 'go on', 'OK'])
  })

  it('says clearly what is too long, and goes on with less', async () => {
    const { fake, session } = await open({ model: { contextWindow: 20 } })
    await expect(startTurn(session, 'x'.repeat(30)).done).rejects.toMatchObject({
      code: 'too_long',
      message: "This is more than the browser's AI takes at once.",
    })
    expect(await startTurn(session, 'short').done).toEqual({ text: 'OK' })
    const history = [userMessage('x'.repeat(30))]
    const opened = browserAI().createSession(sessionOptions({ history }))
    await expect(opened).rejects.toMatchObject({ code: 'too_long' })
    expect(fake.sessions).toHaveLength(1)
  })

  it('is over after any other failure: the next message gets a new session', async () => {
    const fail = new DOMException('crashed '.repeat(60), 'UnknownError')
    const { inside, session } = await open({ model: { answers: [['Half', { fail }]] } })
    const error: unknown = await startTurn(session, 'go').done.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'LeuriaError', code: 'browser_failed', cause: fail })
    expect((error as { detail: string }).detail).toHaveLength(200)
    expect([session.closed, inside.isDestroyed]).toEqual([true, true])
  })

  it('frees the model when it is closed', async () => {
    const { inside, session } = await open()
    await session.close()
    expect([session.closed, inside.isDestroyed]).toEqual([true, true])
  })
})
