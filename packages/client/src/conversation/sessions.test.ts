import { settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { AbortError, messageText, type Conversation } from '../index.js'
import { FakePage } from './page.fixture.js'
import { calls, fails, hangs, says, ScriptedProvider } from './scripted-provider.fixture.js'

const texts = (conversation: Conversation) => conversation.getState().messages.map(messageText)

describe('a conversation and its provider', () => {
  it('moves to a better one as soon as that is ready, with the history', async () => {
    const better = new ScriptedProvider('better', says('From better.'))
    better.become({ status: 'needs-action' })
    const good = new ScriptedProvider('good', says('From good.'))
    const conversation = new FakePage(better, good).conversation()
    await conversation.send('One').text()
    better.become({ status: 'ready' })
    expect(await conversation.send('Two').text()).toBe('From better.')
    expect(good.session).toMatchObject({ closes: 1, heard: [{}] })
    expect(better.session.options.history.map(messageText)).toEqual(['One', 'From good.'])
    expect(conversation.getState().provider).toEqual({ id: 'better', label: 'AI better', locality: 'device' })
    expect(conversation.getState().messages.map(({ metadata }) => metadata?.provider.id)).toEqual([
      undefined,
      'good',
      undefined,
      'better',
    ])
    await conversation.send('Three').text()
    expect(better.sessions).toHaveLength(1)
  })

  it('stays with the one it has while that is the first that can', async () => {
    const [first, second] = [new ScriptedProvider('first'), new ScriptedProvider('second')]
    const conversation = new FakePage(first, second).conversation()
    await conversation.send('One').text()
    second.become({ capabilities: ['chat'] })
    await conversation.send('Two').text()
    expect([first.sessions.length, second.sessions.length]).toEqual([1, 0])
  })

  it('goes on in a new session after the provider ended it', async () => {
    const own = new ScriptedProvider('own', says('1'), says('2'))
    const conversation = new FakePage(own).conversation()
    await conversation.send('a').text()
    own.session.closed = true
    expect(await conversation.send('b').text()).toBe('2')
    expect(own.sessions).toHaveLength(2)
    expect(own.session.options.history.map(messageText)).toEqual(['a', '1'])
    expect(own.session.heard.map(messageText)).toEqual(['b'])
  })

  it('tries once more when the session turns out to be over before anything came', async () => {
    const own = new ScriptedProvider(
      'own',
      says('1'),
      ({ session }) => {
        session.closed = true
        throw new Error('gone')
      },
      says('2'),
    )
    const conversation = new FakePage(own).conversation()
    await conversation.send('a').text()
    const run = conversation.send('b')
    expect(await run.text()).toBe('2')
    const types: string[] = []
    for await (const { type } of run) types.push(type)
    expect(types).toEqual(['start', 'text-delta', 'finish'])
    expect(texts(conversation)).toEqual(['a', '1', 'b', '2'])
    expect(own.session.options.history.map(messageText)).toEqual(['a', '1'])
  })

  it.each([
    ['something came', 1, 'So'],
    ['the session was new', 0, ''],
  ])('does not try again when %s', async (_, turnsBefore, piece) => {
    const dies = ({ session, context }: Parameters<ReturnType<typeof says>>[0]) => {
      context.text(piece)
      session.closed = true
      throw new Error('gone')
    }
    const own = new ScriptedProvider('own', ...Array.from({ length: turnsBefore }, () => says('1')), dies)
    const conversation = new FakePage(own).conversation()
    for (let turn = 0; turn < turnsBefore; turn += 1) await conversation.send('a').text()
    await expect(conversation.send('b').text()).rejects.toMatchObject({ code: 'ai_failed' })
    expect(own.sessions).toHaveLength(1)
  })

  it('does not try again in a session that goes on: an error is an error', async () => {
    const own = new ScriptedProvider('own', says('1'), fails(new Error('overloaded')), says('2'))
    const conversation = new FakePage(own).conversation()
    await conversation.send('a').text()
    await expect(conversation.send('b').text()).rejects.toMatchObject({ detail: 'overloaded' })
    expect(own.sessions).toMatchObject([{ closes: 1, heard: [{}, {}] }])
  })

  it('opens a new session for a history that the old one hasn’t heard', async () => {
    const own = new ScriptedProvider('own', says('1'), says('3'))
    const page = new FakePage(own)
    const conversation = page.conversation()
    await conversation.send('a').text()
    own.become({ status: 'unavailable' })
    await expect(conversation.send('b').text()).rejects.toMatchObject({ code: 'no_provider' })
    own.become({ status: 'ready' })
    await conversation.send('c').text()
    expect(own.sessions.map(({ closes }) => closes)).toEqual([1, 0])
    expect(own.session.options.history.map(messageText)).toEqual(['a', '1', 'b'])
  })

  it('says when a session can’t be opened, and opens another for the next message', async () => {
    const own = new ScriptedProvider('own')
    own.onCreate = () => Promise.reject(new Error('no more sessions'))
    const conversation = new FakePage(own).conversation()
    await expect(conversation.send('a').text()).rejects.toMatchObject({ detail: 'no more sessions' })
    expect(conversation.getState()).toMatchObject({ status: 'error', session: 'none', messages: [{ role: 'user' }] })
    own.onCreate = () => undefined
    expect(await conversation.send('b').text()).toBe('Hello.')
    expect(own.session.options.history.map(messageText)).toEqual(['a'])
  })

  it('takes a provider that throws where it should reject', async () => {
    const own = new ScriptedProvider('own')
    own.createSession = () => {
      throw new Error('at once')
    }
    await expect(new FakePage(own).conversation().send('a').text()).rejects.toMatchObject({ detail: 'at once' })
  })

  it('chooses one that takes images for a message with an image, and any for texts', async () => {
    const plain = new ScriptedProvider('plain')
    const seeing = new ScriptedProvider('seeing').able('tools', 'images')
    const page = new FakePage(plain, seeing)
    const conversation = page.conversation()
    const image = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' })
    await conversation.send({ role: 'user', content: 'Look', files: [image] }).text()
    await conversation.send({ content: 'Read', files: [new File(['# Hi'], 'a.md', { type: '' })] }).text()
    expect(seeing.session.heard[0]?.parts).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AQID' },
    ])
    expect(plain.session.heard[0]?.parts).toEqual([
      { type: 'text', text: 'Read' },
      { type: 'file', mediaType: 'text/plain', filename: 'a.md', url: 'data:text/plain;base64,IyBIaQ==' },
    ])
    expect(page.needs.map(({ capabilities }) => capabilities)).toEqual([['chat', 'images'], ['chat']])
  })

  it('says when a file is none', async () => {
    const conversation = new FakePage(new ScriptedProvider('own')).conversation()
    const files = [{ url: 'https://elsewhere.example/a.png', mediaType: 'image/png' }]
    await expect(conversation.send({ content: 'Look', files }).text()).rejects.toMatchObject({ code: 'bad_request' })
    expect(conversation.getState()).toMatchObject({ status: 'error', messages: [] })
  })
})

describe('warming up', () => {
  it('opens a session once and gets it ready once; the first message uses it', async () => {
    const own = new ScriptedProvider('own')
    const conversation = new FakePage(own).conversation()
    const warm = conversation.warm()
    expect(await conversation.warm()).toBe(true)
    expect(await warm).toBe(true)
    expect(conversation.getState()).toMatchObject({ status: 'idle', session: 'ready', provider: { id: 'own' } })
    await conversation.send('a').text()
    expect(await conversation.warm()).toBe(true)
    expect(own.sessions).toMatchObject([{ warms: 1, heard: [{}] }])
  })

  it('is false when nothing is ready, and no error for anybody to see', async () => {
    const conversation = new FakePage().conversation()
    expect(await conversation.warm()).toBe(false)
    expect(conversation.getState()).toMatchObject({ status: 'idle', error: null, session: 'none' })
  })

  it.each(['onCreate', 'onWarm'] as const)(
    'is false when it fails (%s); the next message starts anew',
    async (step) => {
      const own = new ScriptedProvider('own')
      own[step] = () => Promise.reject(new Error('cold'))
      const conversation = new FakePage(own).conversation()
      expect(await conversation.warm()).toBe(false)
      expect(conversation.getState().session).toBe('none')
      own[step] = () => undefined
      expect(await conversation.send('a').text()).toBe('Hello.')
      expect(own.sessions).toHaveLength(2)
    },
  )

  it('has nothing to do during a turn', async () => {
    const own = new ScriptedProvider('own', hangs())
    const conversation = new FakePage(own).conversation()
    conversation.send('a')
    await settle()
    expect(await conversation.warm()).toBe(true)
    expect(own.session.warms).toBe(0)
  })

  it('doesn’t keep a message waiting', async () => {
    const own = new ScriptedProvider('own')
    own.onWarm = () => new Promise<void>(() => undefined)
    const conversation = new FakePage(own).conversation()
    void conversation.warm()
    await settle()
    expect(await conversation.send('a').text()).toBe('Hello.')
    expect(own.sessions).toHaveLength(1)
  })

  it('works for answers of a shape, also beside a message', async () => {
    const own = new ScriptedProvider('own', calls('submit_result', { ok: true })).able('tools')
    const conversation = new FakePage(own).conversation({ schema: { type: 'object' } })
    const [warm, run] = [conversation.warm(), conversation.send('a')]
    expect([await warm, await run.object()]).toEqual([true, { ok: true }])
    expect(own.sessions).toHaveLength(1)
  })
})

describe('the end of a conversation', () => {
  it('stops, frees the session once and keeps the history; another message goes on', async () => {
    const own = new ScriptedProvider('own', says('1'), hangs('2'), says('3'))
    const page = new FakePage(own)
    const conversation = page.conversation()
    await conversation.send('a').text()
    const run = conversation.send('b')
    await settle()
    await Promise.all([conversation.close(), conversation.close()])
    await expect(run.text()).rejects.toThrow(AbortError)
    expect(own.sessions.map(({ closes }) => closes)).toEqual([1])
    expect(conversation.getState()).toMatchObject({ status: 'idle', session: 'none' })
    expect([texts(conversation), page.open.size]).toEqual([['a', '1', 'b', '2'], 0])
    await conversation.send('c').text()
    expect(own.session.options.history.map(messageText)).toEqual(['a', '1', 'b', '2'])
    expect(page.open.size).toBe(1)
  })

  it('frees it once, also when the provider fails because of that', async () => {
    const own = new ScriptedProvider('own', async (turn) => {
      await hangs('So')(turn)
      throw new Error('closed')
    })
    const conversation = new FakePage(own).conversation()
    conversation.send('a')
    await settle()
    await conversation.close()
    await settle()
    expect(own.session.closes).toBe(1)
  })

  it('frees the session at once, as a page that is left must', async () => {
    const own = new ScriptedProvider('own')
    const conversation = new FakePage(own).conversation()
    await conversation.send('a').text()
    void conversation.close()
    expect(own.session.closes).toBe(1)
  })

  it('doesn’t wait longer than 5 s for a provider', async () => {
    const own = new ScriptedProvider('own')
    const page = new FakePage(own)
    const conversation = page.conversation()
    await conversation.send('a').text()
    Object.assign(own.session, { close: () => new Promise<void>(() => undefined) })
    let closed = false
    void conversation.close().then(() => (closed = true))
    await page.clock.advanceAsync(4_999)
    expect(closed).toBe(false)
    await page.clock.advanceAsync(1)
    expect(closed).toBe(true)
  })

  it('without a session is nothing', async () => {
    await new FakePage().conversation().close()
  })
})

describe('reset', () => {
  it('begins anew, with these messages or none', async () => {
    const own = new ScriptedProvider('own', fails(new Error('boom'), 'So'), says('1'), says('2'))
    const conversation = new FakePage(own).conversation()
    await expect(conversation.send('a').text()).rejects.toThrow()
    conversation.reset()
    expect(conversation.getState()).toEqual({
      status: 'idle',
      error: null,
      session: 'none',
      provider: null,
      queued: 0,
      pendingInputs: [],
      messages: [],
    })
    await conversation.send('b').text()
    const messages = conversation.getState().messages.slice(0, 1)
    conversation.reset(messages)
    expect(texts(conversation)).toEqual(['b'])
    await conversation.send('c').text()
    expect(own.session.options.history).toEqual(messages)
  })

  it('stops what goes on; nothing of it comes back', async () => {
    const own = new ScriptedProvider('own', hangs('So'), says('1'))
    const conversation = new FakePage(own).conversation()
    const [first, second] = [conversation.send('a'), conversation.send('b')]
    await settle()
    conversation.reset()
    for (const run of [first, second]) await expect(run.text()).rejects.toThrow(AbortError)
    await settle()
    expect(conversation.getState()).toMatchObject({ messages: [], queued: 0, status: 'idle' })
    expect(await conversation.send('c').text()).toBe('1')
  })
})
