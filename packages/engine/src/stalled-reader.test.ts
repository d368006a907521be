/**
 * A reader that stops reading for a minute costs at most its buffer, and the others don't notice: real sockets, a clock
 * that the test moves. The rules themselves (when a reader is dropped, how it catches up): packages/session-manager.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { SseReader } from '@leuria/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SHOP } from './engine.fixture.js'
import { Stage } from './stage.fixture.js'

/** What the engine may hold for one reader: a full write of 64 Ki characters on top of a full socket, and some. */
const BUFFER_BYTES = 256 * 1024
const SECOND_MS = 1_000

let stage: Stage
/** Every answer that the engine has begun, newest last. */
const answers: ServerResponse[] = []
function noteAnswer(message: unknown): void {
  if (typeof message === 'object' && message !== null && 'response' in message)
    if (message.response instanceof ServerResponse) answers.push(message.response as ServerResponse)
}
beforeEach(async () => {
  stage = await Stage.open()
  subscribe('http.server.request.start', noteAnswer)
})
afterEach(async () => {
  unsubscribe('http.server.request.start', noteAnswer)
  answers.length = 0
  await stage[Symbol.asyncDispose]()
})

/** A reader that takes its answer's head and then nothing, until told. */
class StallingReader {
  readonly #reader = new SseReader()
  closed = false

  private constructor(
    private readonly socket: Socket,
    /** The engine's side of it. */
    readonly answer: ServerResponse,
  ) {
    socket.on('error', () => undefined)
    socket.on('close', () => (this.closed = true))
  }

  static async open(sessionId: string, lastEventId?: string): Promise<StallingReader> {
    const { port } = stage.test.engine
    const socket = connect(port, '127.0.0.1')
    const query = lastEventId === undefined ? '' : `?lastEventId=${lastEventId}`
    const lines = [
      `GET /session/${sessionId}/stream${query} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Origin: ${SHOP}`,
      `Authorization: Bearer ${stage.site.token}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await new Promise((resolve) => socket.once('readable', resolve))
    const answer = answers.at(-1)
    if (answer === undefined) throw new Error('The engine has begun no answer.')
    return new StallingReader(socket, answer)
  }

  /** What the engine holds for it, in bytes. */
  get heldBytes(): number {
    return this.answer.writableLength
  }

  /** Reads again: everything that comes until the stream is quiet. */
  async read(until: (reader: SseReader) => boolean): Promise<SseReader> {
    this.socket.on('data', (data: Buffer) => {
      // Chunked transfer's own lines stand between events, never inside one that was written whole.
      this.#reader.push(
        data
          .toString()
          .replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, '')
          .replaceAll('\r\n', ''),
      )
    })
    await expect.poll(() => until(this.#reader), { timeout: 20_000 }).toBe(true)
    return this.#reader
  }
}

/** `chars` characters in pieces of a paragraph each. */
function pieces(chars: number): string[] {
  return Array.from({ length: Math.ceil(chars / 2_000) }, (_, at) => `${at} `.padEnd(2_000, 'x'))
}

it('is dropped when much comes meanwhile, never holds more than its buffer, and the others get every event in time', async () => {
  const session = await stage.running()
  const quick = await stage.stream(session.id)
  const stalling = await StallingReader.open(session.id)
  await expect.poll(() => stage.test.engine.sessions.live().streams).toBe(3)
  let [said, mostBytes, droppedAfterS] = [0, 0, 0]
  for (let second = 1; second <= 60; second += 1) {
    // A turn may hold 8 Mi characters: every 20 s another one begins.
    if (second % 20 === 0) {
      stage.agent.turn.end()
      await quick.next('turn_completed', second / 20)
      await stage.ask(session)
    }
    const now = pieces(250_000)
    stage.agent.turn.emit(...now.map((text) => ({ type: 'thought', text }) as const))
    said += now.length
    // In time: before the next second comes, whatever the other reader does.
    await quick.until(({ events }) => events.length >= said && quick.dataOf('thought').length === said)
    await stage.pass(SECOND_MS)
    mostBytes = Math.max(mostBytes, stalling.heldBytes)
    if (droppedAfterS === 0 && stalling.answer.destroyed) droppedAfterS = second
  }
  expect(mostBytes).toBeLessThan(BUFFER_BYTES)
  expect(droppedAfterS).toBeGreaterThan(0)
  expect(stage.test.engine.sessions.live().streams).toBe(2)
  expect(stalling.heldBytes).toBe(0)
  const ids = quick.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
  expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + at))
  expect(quick.state).toBe('open')
}, 60_000)

it('may hold one event more than its buffer: the end of a turn has all of the turn’s text', async () => {
  const session = await stage.running()
  const quick = await stage.stream(session.id)
  const stalling = await StallingReader.open(session.id)
  const text = pieces(2_000_000)
  for (let turn = 1; turn <= 4; turn += 1) {
    stage.agent.turn.text(...text).end()
    await quick.next('turn_completed', turn)
    await stage.pass(SECOND_MS)
    expect(stalling.heldBytes).toBeLessThan(BUFFER_BYTES + text.join('').length)
    await stage.ask(session)
  }
  expect(quick.dataOf('turn_completed')).toMatchObject(Array(4).fill({ text: text.join('') }))
}, 60_000)

it('is not dropped when little comes meanwhile, and has everything when it reads again', async () => {
  const session = await stage.running()
  const stalling = await StallingReader.open(session.id)
  for (let second = 1; second <= 60; second += 1) {
    stage.agent.turn.text(`second ${second} `)
    await stage.pass(SECOND_MS)
    expect(stalling.heldBytes).toBeLessThan(BUFFER_BYTES)
  }
  stage.agent.turn.end()
  await session.until('turn_completed')
  const { events } = await stalling.read((reader) => reader.events.some(({ event }) => event === 'turn_completed'))
  const text = events.filter(({ event }) => event === 'chunk').map(({ data }) => data)
  expect(text).toEqual(Array.from({ length: 60 }, (_, at) => `second ${at + 1} `))
  expect(stalling.closed).toBe(false)
})
