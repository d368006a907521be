import { pageScene, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { bridge } from '../index.js'
// Loaded beforehand: a clock that a test moves doesn't wait for it.
import '../loaded-later.js'
import type { Message, MessagePart } from '../message/message.js'
import type { SessionOptions, TurnContext } from './provider.js'

const scene = (options: Parameters<typeof pageScene>[1] = {}) => pageScene((parts) => bridge(parts), options)
type Scene = Awaited<ReturnType<typeof scene>>

const said = (text: string, ...parts: MessagePart[]): Message => ({
  id: text,
  role: 'user',
  parts: [{ type: 'text', text }, ...parts],
})

const sessionOptions: SessionOptions = { tools: [], history: [], maxSteps: 10 }

/** One turn's context, and what it was told. */
function turn(runTool: TurnContext['runTool'] = async () => ({ ok: true, result: null })) {
  const stop = new AbortController()
  const told: string[] = []
  const context: TurnContext = {
    turnId: 't1',
    signal: stop.signal,
    text: (delta) => told.push(`text ${delta}`),
    reasoning: (delta) => told.push(`reasoning ${delta}`),
    status: (words) => told.push(`status ${words}`),
    runTool,
  }
  return { context, told, stop: () => stop.abort() }
}

const prompts = ({ engine }: Scene) => engine.log.requests(/prompt$/).map(({ body }) => body)
const prepared = ({ engine }: Scene) => engine.log.requests(/prepare$/).map(({ body }) => body)

describe('where it stands', () => {
  it('follows the connection', async () => {
    await using page = await scene({ connected: false })
    const { client } = page
    expect(client).toMatchObject({ id: 'bridge', locality: 'device', asksFirst: true, offers: ['chat', 'embed'] })
    expect(client.getState()).toMatchObject({ status: 'needs-action', action: 'connect' })
    page.engine.embedModel = 'nomic'
    const connected = client.connect()
    await page.engine.pairing.answer(true)
    await connected
    expect(client.getState()).toMatchObject({
      status: 'ready',
      capabilities: ['chat', 'tools', 'agent', 'images', 'embed'],
      model: 'Puppet AI',
      embedModel: 'nomic',
    })
    page.network.down = true
    await client.detect()
    expect(client.getState()).toMatchObject({
      status: 'unavailable',
      detail: "Leuria isn't running on this computer, or isn't installed.",
    })
    page.network.down = false
    await client.disconnect()
    expect(client.getState()).toMatchObject({ status: 'needs-action', action: 'connect' })
  })

  it('asks the engine once, however many ask it', async () => {
    await using page = await scene()
    await Promise.all([page.client.detect(), page.client.detect()])
    expect(page.engine.log.requests(/health$/)).toHaveLength(1)
    await page.client.detect()
    expect(page.engine.log.requests(/health$/)).toHaveLength(2)
  })

  it('opens the site’s settings', async () => {
    await using page = await scene()
    page.client.manage()
    expect(page.tab.links).toEqual(['leuria://site?origin=https%3A%2F%2Fshop.example'])
  })

  it('closes no session of its own accord when the page is left: who has the conversations does', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    await talk.warm?.()
    page.tab.signal('hide')
    await settle()
    expect(page.engine.live).toHaveLength(1)
    await talk.close()
    expect(page.engine.live).toHaveLength(0)
  })
})

describe('a turn', () => {
  it('is streamed from its first piece to its end, in one session', async () => {
    await using page = await scene()
    const talk = await page.client.createSession({ ...sessionOptions, system: 'Be brief.', maxSteps: 3 })
    const first = turn()
    expect(await talk.send(said('think hm\nsay a blue mug'), first.context)).toEqual({ text: 'a blue mug' })
    expect(first.told).toEqual(['reasoning hm', 'text a ', 'text blue ', 'text mug'])
    const second = turn()
    expect(await talk.send(said('say again'), second.context)).toEqual({ text: 'again' })
    expect(first.told).toHaveLength(4)
    expect(prepared(page)).toEqual([{ systemPrompt: 'Be brief.', maxTurns: 5 }])
  })

  it('asks for no more steps than an engine takes', async () => {
    await using page = await scene()
    await (await page.client.createSession({ ...sessionOptions, maxSteps: 400 })).warm?.()
    expect(prepared(page)).toEqual([{ maxTurns: 50 }])
  })

  it('runs the page’s tools, and tells the AI what they fail with', async () => {
    await using page = await scene()
    const inputSchema = { type: 'object' }
    const talk = await page.client.createSession({
      ...sessionOptions,
      tools: [{ name: 'stock', description: 'Counts.', inputSchema, annotations: { readOnlyHint: true } }],
    })
    const calls: unknown[] = []
    const fine = turn(async (call) => {
      calls.push(call)
      return { ok: true, result: 'seven' }
    })
    expect(await talk.send(said('call stock {"of":"mugs"}'), fine.context)).toEqual({ text: 'seven' })
    expect(calls).toEqual([{ name: 'stock', args: { of: 'mugs' }, callId: expect.any(String) as string }])
    const failing = turn(async () => ({ ok: false, error: 'The catalog is offline.' }))
    expect(await talk.send(said('call stock'), failing.context)).toEqual({ text: 'failed: The catalog is offline.' })
    expect(page.engine.session.channel.tools.get('stock')).toMatchObject({ description: 'Counts.', inputSchema })
    page.engine.session.channel.send({ type: 'callTool', id: 'late', tool: 'stock', arguments: {} })
    await page.until(() =>
      expect(page.engine.session.channel.answers.get('late')).toEqual([
        { type: 'toolResponse', id: 'late', error: 'The turn is over.' },
      ]),
    )
  })

  it('hands over once what was said before', async () => {
    await using page = await scene()
    const history = [said('I like blue.'), { ...said('Noted.'), role: 'assistant' as const }]
    const talk = await page.client.createSession({ ...sessionOptions, history })
    await talk.send(said('say one'), turn().context)
    await talk.send(said('say two'), turn().context)
    const [first, second] = prompts(page).map((body) => (body as { prompt: string }).prompt)
    expect(first).toMatch(/I like blue\.[^]*Noted\.[^]*say one$/)
    expect(second).toBe('say two')
  })

  it('takes images and text files along', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    const file = (mediaType: string, url: string, filename: string): MessagePart => ({
      type: 'file',
      mediaType,
      url,
      filename,
    })
    const image = file('image/png', 'data:image/png;base64,iVBORw0KGgo=', 'mug.png')
    const text = file('text/plain', 'data:text/plain;base64,Y2VsYWRvbiDinJM=', 'colour.txt')
    await talk.send(said('say seen', image, text), turn().context)
    expect(prompts(page)).toEqual([
      {
        prompt: expect.stringContaining('say seen') as string,
        attachments: [
          { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=', name: 'mug.png' },
          { type: 'text', text: 'celadon ✓', name: 'colour.txt', mimeType: 'text/plain' },
        ],
      },
    ])
    await expect(
      talk.send(said('say it', file('application/pdf', 'data:application/pdf;base64,AAAA', 'a.pdf')), turn().context),
    ).rejects.toMatchObject({ code: 'unsupported_file' })
  })
})

describe('stopping a turn', () => {
  it('keeps the session when the turn ends soon', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    const stopped = turn()
    const sent = talk.send(said('say begun\nhold\nsay never'), stopped.context)
    await page.engine.puppet.held()
    stopped.stop()
    expect(await sent).toEqual({ text: 'begun' })
    expect(talk.closed).toBe(false)
    expect(await talk.send(said('say again'), turn().context)).toEqual({ text: 'again' })
    expect(prepared(page)).toHaveLength(1)
  })

  it('gives the session up when the AI does not stop within 10 s', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    await talk.warm?.()
    page.engine.faults.answers.push({ request: /cancel-turn$/, status: 200, body: { status: 'running' } })
    const stopped = turn()
    const sent = talk.send(said('hold'), stopped.context)
    const failed = expect(sent).rejects.toMatchObject({ name: 'AbortError' })
    await page.engine.puppet.held()
    await settle()
    stopped.stop()
    await page.until(() => expect(page.engine.log.requests(/cancel-turn$/)).toHaveLength(1))
    page.clock.advance(9_999)
    await settle()
    expect(talk.closed).toBe(false)
    page.clock.advance(1)
    await failed
    expect(talk.closed).toBe(true)
    await page.until(() => expect(page.engine.live).toEqual([]))
  })

  it('leaves no session behind while the AI is being started', async () => {
    await using page = await scene()
    for (const moment of ['before', 'prepare', 'stream', 'approve']) {
      const talk = await page.client.createSession(sessionOptions)
      const stopped = turn()
      let go = (): void => undefined
      const until = new Promise<void>((resolve) => (go = resolve))
      page.engine.faults.holds.push({ request: new RegExp(`${moment}$`), until })
      if (moment === 'before') stopped.stop()
      const sent = expect(talk.send(said('say x'), stopped.context)).rejects.toMatchObject({ name: 'AbortError' })
      await settle()
      stopped.stop()
      await sent
      go()
      expect(talk.closed).toBe(true)
      await page.until(() => expect(page.engine.live).toEqual([]))
    }
  })

  it('does not send a prompt that was called off before the AI was up, and keeps the session', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    await talk.warm?.()
    const stopped = turn()
    let go = (): void => undefined
    page.engine.faults.holds.push({ request: /prompt$/, until: new Promise<void>((resolve) => (go = resolve)) })
    const sent = talk.send(said('say on its way'), stopped.context)
    await page.until(() => expect(prompts(page)).toHaveLength(1))
    stopped.stop()
    go()
    expect((await sent).text).toMatch(/^(on its way|on its |on |)$/)
    expect(talk.closed).toBe(false)
    expect(await talk.send(said('say next'), turn().context)).toEqual({ text: 'next' })
  })
})

describe('the end', () => {
  it('is closed, and its words are plain, after the AI failed', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    await expect(talk.send(said('fail The model is gone.'), turn().context)).rejects.toMatchObject({
      code: 'session_failed',
      message: 'The AI stopped because of an error.',
      detail: 'The model is gone.',
    })
    expect(talk.closed).toBe(true)
  })

  it.each(['completed', 'cancelled'] as const)('is closed after the engine ended it as %s', async (outcome) => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    const sent = talk.send(said('hold'), turn().context)
    const failed = expect(sent).rejects.toMatchObject({ code: 'ended' })
    await page.engine.puppet.held()
    page.engine.session.finish(outcome)
    await failed
    expect(talk.closed).toBe(true)
  })

  it('comes at once when the page closes it during a turn', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    const failed = expect(talk.send(said('hold'), turn().context)).rejects.toMatchObject({ name: 'AbortError' })
    await page.engine.puppet.held()
    const closing = talk.close()
    await failed
    await closing
    expect([talk.closed, page.engine.live]).toEqual([true, []])
    await talk.close()
  })

  it('is told with the site’s standing when it could not be started', async () => {
    await using page = await scene()
    page.engine.revoke('https://shop.example')
    const talk = await page.client.createSession(sessionOptions)
    await expect(talk.warm?.()).rejects.toMatchObject({ code: 'not_paired' })
    expect([talk.closed, page.client.getState().status]).toEqual([true, 'needs-action'])
    page.network.down = true
    const other = await page.client.createSession(sessionOptions)
    await expect(other.send(said('x'), turn().context)).rejects.toMatchObject({ name: 'LeuriaNotConnectedError' })
  })

  it('tells the visitor of a limit of their own in plain words', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    await talk.warm?.()
    const body = { error: 'turns per day: 3 of 3', code: 'over_budget', retryAfterS: 3_600 }
    page.engine.faults.answers.push({ request: /prompt$/, status: 429, body })
    await expect(talk.send(said('x'), turn().context)).rejects.toMatchObject({
      code: 'over_budget',
      message: 'The limit that you set for this site is used up for now.',
      retryAfterS: 3_600,
    })
    expect(await talk.send(said('say later'), turn().context)).toEqual({ text: 'later' })
  })

  it('says that it reconnects while it does', async () => {
    await using page = await scene()
    const talk = await page.client.createSession(sessionOptions)
    const { context, told } = turn()
    const sent = talk.send(said('say ha ha\nhold\nsay ha'), context)
    await page.engine.puppet.held()
    await page.until(() => expect(told).toContain('text ha'))
    page.network.cut()
    await page.until(() => {
      page.clock.advance(100)
      expect(told).toContain('status null')
    })
    expect(told).toContain('status Reconnecting…')
    page.engine.puppet.release()
    expect(await sent).toEqual({ text: 'ha haha' })
  })
})

describe('embedding', () => {
  it('is done by the visitor’s local model, in as many requests as it takes', async () => {
    await using page = await scene()
    page.engine.embedModel = 'nomic'
    const { vectors, model } = await page.client.embed(Array.from({ length: 300 }, String), { kind: 'query' })
    expect([vectors.length, model, page.engine.log.requests(/embed$/).length]).toEqual([300, 'nomic', 2])
  })

  it('is no longer offered once the model is gone', async () => {
    await using page = await scene()
    page.engine.embedModel = 'nomic'
    await page.client.detect()
    page.engine.embedModel = undefined
    await expect(page.client.embed(['fox'], { kind: 'document' })).rejects.toMatchObject({ code: 'no_embedder' })
    await page.until(() => expect(page.client.getState().capabilities).not.toContain('embed'))
  })
})
