/**
 * One turn in which the AI calls the page's tool, written down from every side: a stream opened before approve, a second one
 * in the middle of the answer, one when the session is idle, one after its end; then a follow-up turn, and close.
 */
import { fieldsOf } from './mcp-agent.js'
import type { Answer } from '../wire-http.js'
import type { EventStream } from './event-stream.js'
import { KIT_LOG, KIT_TOOL } from './kit-tool.js'
import { prepareSession } from './kit-session.js'
import type { Message } from './page-socket.js'
import type { Site, Subject } from './subject.js'

export interface ToolTurn {
  readonly prepared: Answer
  readonly approved: Answer
  readonly prompted: Answer
  readonly closed: Answer
  /** Of the session once idle, for the tokens that webmcp_ready has to repeat. */
  readonly info: Answer
  /** Opened before approve. */
  readonly first: EventStream
  /** Opened when the AI had begun to talk. `inTime`: the turn was still running when it was open. */
  readonly middle: { stream: EventStream; inTime: boolean }
  /** What an idle session greets a new stream with, within a moment. */
  readonly idle: EventStream
  readonly ended: EventStream
  /** Calls that reached the page. */
  readonly calls: readonly Message[]
  /** Events of the first turn. */
  readonly turnEvents: number
}

/** An idle session greets at once; nothing says that no more will come. */
const GREETING_MS = 1_000

export async function recordToolTurn(subject: Subject, site: Site): Promise<ToolTurn> {
  const { turnLimitMs, toolPrompt } = subject.options
  const session = await prepareSession(subject, site, { prompt: toolPrompt })
  subject.defer(() => session.dispose())
  const first = await session.stream()
  const { socket } = await session.channel()
  socket.send({ type: 'registerTool', ...KIT_TOOL })
  socket.onMessage = ({ type, id }) => {
    if (type === 'callTool') socket.send({ type: 'toolResponse', id, result: KIT_LOG })
  }
  await socket.next('ack').catch(() => undefined)
  const approved = await session.must('approve')
  await first.next('chunk', 1, turnLimitMs)
  const middle = await session.stream()
  const inTime = !first.names.includes('turn_completed')
  await first.next('turn_completed', 1, turnLimitMs)
  if (inTime) await middle.next('turn_completed').catch(() => undefined)
  const turnEvents = first.events.length
  const info = await session.info()
  const idle = await session.stream()
  await idle.next('ready', 1, GREETING_MS).catch(() => undefined)
  const prompted = await session.act('prompt', { prompt: 'Say hello.' })
  if (prompted.status === 200) await first.next('turn_completed', 2, turnLimitMs).catch(() => undefined)
  const closed = await session.act('close')
  for (const stream of [first, middle]) await stream.end().catch(() => undefined)
  const ended = await session.stream()
  await ended.end().catch(() => undefined)
  const calls = socket.inbox.items.filter(({ type }) => type === 'callTool')
  const { prepared } = session
  return {
    prepared,
    approved,
    prompted,
    closed,
    info,
    first,
    middle: { stream: middle, inTime },
    idle,
    ended,
    calls,
    turnEvents,
  }
}

/** The text that the engine says the first turn had. */
export function turnText(stream: EventStream): unknown {
  return fieldsOf(stream.dataOf('turn_completed')[0]).text
}
