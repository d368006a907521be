import { FakeBrowser, fakeClock, pageScene } from '@leuria/testing'
import { describe, expect, it, vi } from 'vitest'
import { bridge, createLeuria, defineTool, type RunEvent } from '../index.js'
import type { Message } from '../message/message.js'
import type { SessionOptions } from '../provider/provider.js'
import { OwnProvider, visitorsAi } from './own-provider.fixture.js'

const said = (role: 'user' | 'assistant', text: string): Message => ({
  id: text,
  role,
  parts: [{ type: 'text', text }],
})

/** A provider that says back what it is told. */
function echo() {
  const provider = new OwnProvider('echo')
  const sessions: SessionOptions[] = []
  const closed = vi.fn()
  provider.createSession = async (options) => {
    sessions.push(options)
    const send = async (message: Message) => ({
      text: `you said ${message.parts.map((part) => part.type === 'text' && part.text).join()}`,
    })
    return { send, close: closed }
  }
  const client = createLeuria({
    providers: [visitorsAi({ status: 'unavailable' }), provider],
    fallback: 'auto',
    clock: fakeClock(),
    page: new FakeBrowser('https://shop.example').openTab(),
  })
  return { client, provider, sessions, closed }
}

describe('one request', () => {
  it('is answered by the first that can, and leaves nothing behind', async () => {
    const { client, closed } = echo()
    const heard: RunEvent[] = []
    client.on((event) => heard.push(event))
    const run = client.chat({ prompt: 'hello' })
    expect(await run.text()).toBe('you said hello')
    expect(await run.result()).toMatchObject({ text: 'you said hello', provider: { id: 'echo' } })
    expect(heard.map(({ type }) => type)).toEqual(expect.arrayContaining(['start', 'finish']))
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce(), { timeout: 20_000 })
  })

  it('may come with what was said before', async () => {
    const { client, sessions } = echo()
    const before = [said('user', 'I like blue.'), said('assistant', 'Noted.')]
    expect(await client.chat({ messages: [...before, said('user', 'And green.')] }).text()).toBe('you said And green.')
    expect(await client.chat({ messages: before, prompt: 'And red.' }).text()).toBe('you said And red.')
    expect(sessions.map(({ history }) => history.map(({ id }) => id))).toEqual([
      ['I like blue.', 'Noted.'],
      ['I like blue.', 'Noted.'],
    ])
  })

  it('needs something of the visitor’s to answer', () => {
    const { client } = echo()
    for (const request of [{}, { messages: [] }, { messages: [said('assistant', 'Hello.')] }]) {
      expect(() => client.chat(request)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    }
  })

  it('fails with the reasons where nobody can', async () => {
    const { client } = echo()
    await expect(client.chat({ prompt: 'x', localOnly: true }).text()).rejects.toMatchObject({ code: 'no_provider' })
  })

  it('is closed with the page, before it is answered', async () => {
    const { client, provider } = echo()
    const closed = vi.fn()
    provider.createSession = async () => ({
      send: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')))
        }),
      close: closed,
    })
    const run = client.chat({ prompt: 'x' })
    for await (const event of run) if (event.type === 'start') break
    await vi.waitFor(
      async () => {
        await client.closeAll()
        expect(closed).toHaveBeenCalled()
      },
      { timeout: 20_000 },
    )
    await expect(run.text()).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('with the engine', () => {
  it('goes from the click to an answer with the page’s own tools', async () => {
    await using page = await pageScene((parts) => createLeuria({ ...parts, providers: [bridge(parts)] }), {
      connected: false,
    })
    const { client } = page
    await expect(client.chat({ prompt: 'say hi' }).text()).rejects.toMatchObject({ actionable: true })
    expect(page.network.uses).toEqual([])
    const connected = client.connect()
    await page.engine.pairing.answer(true)
    await connected
    const tool = defineTool({ name: 'stock', description: 'Counts.', execute: () => 'seven' })
    const conversation = client.conversation({ tools: [tool], system: 'Be brief.' })
    expect(await conversation.send('call stock').text()).toBe('seven')
    expect(await conversation.send('say again').text()).toBe('again')
    expect(page.engine.live).toHaveLength(1)
    await conversation.close()
    expect(page.engine.live).toHaveLength(0)
  })

  it('closes its sessions when the page is left, unless the page wants it otherwise', async () => {
    for (const closeOnUnload of [true, false]) {
      await using page = await pageScene((parts) =>
        createLeuria({ ...parts, closeOnUnload, providers: [bridge(parts)] }),
      )
      await page.until(() => expect(page.client.getState().active?.id).toBe('bridge'))
      await page.client.conversation().send('say hi').text()
      page.tab.signal('hide')
      await page.until(() => expect(page.engine.live).toHaveLength(closeOnUnload ? 0 : 1))
    }
  })

  it('hands a conversation on to the visitor’s AI once that is connected', async () => {
    const server = new OwnProvider('server')
    await using page = await pageScene((parts) => createLeuria({ ...parts, providers: [bridge(parts), server] }), {
      connected: false,
    })
    page.client.chooseInstead('server')
    const conversation = page.client.conversation()
    expect(await conversation.send('I like blue.').text()).toBe('server')
    const connected = page.client.connect('bridge')
    await page.engine.pairing.answer(true)
    await connected
    expect(await conversation.send('say noted').text()).toContain('noted')
    const { body } = page.engine.log.requests(/prompt$/)[0]!
    expect(body).toMatchObject({ prompt: expect.stringMatching(/I like blue\.[^]*server[^]*say noted/) as string })
  })
})
