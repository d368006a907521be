/** Checks of Stream events and Replay: they judge the recordings of two turns. */
import type { STREAM } from '../../clauses/stream.js'
import { cannotSee, holds, isSame, quote } from '../../report/observe.js'
import type { EventStream } from '../event-stream.js'
import { type Checks, type Kit, unseen } from '../kit.js'
import { fieldsOf } from '../mcp-agent.js'
import { turnText } from '../tool-turn.js'

/** Data of all events of this name that the kit has seen. */
async function allData(kit: Kit, name: string): Promise<unknown[]> {
  const { first } = await kit.toolTurn()
  return first.dataOf(name)
}

async function allAreTexts(kit: Kit, name: string): Promise<void> {
  const data = await allData(kit, name)
  if (data.length === 0) cannotSee(`the AI sent no ${name}`)
  for (const text of data) holds(typeof text === 'string', `${name} carried ${quote(text)}`)
}

function endsWith(stream: EventStream, name: string): void {
  isSame([stream.names.at(-1), stream.dataOf(name).at(-1)], [name, null], 'the last event')
  holds(stream.inbox.closed, `the stream is open after ${name}`)
}

/** The chunks of a stream's first turn, joined. */
function firstTurnSaid({ events, names }: EventStream): string {
  const chunks = events.slice(0, names.indexOf('turn_completed')).filter(({ event }) => event === 'chunk')
  return chunks.map(({ data }) => data).join('')
}

/** One event: an event line and a data line; ids and comments are additive. */
const BLOCK = /^(?:(?:id|retry):[^\n]*\n|:[^\n]*\n)*event: ?\w+\ndata: ?[^\n]+(?:\n(?:id|retry):[^\n]*|\n:[^\n]*)*$/
const COMMENTS = /^(?::[^\n]*\n?)*$/

export const streamChecks: Checks<keyof typeof STREAM> = {
  'stream.type': async (kit) => {
    const { first } = await kit.toolTurn()
    holds(first.status === 200, `the stream answered ${first.status}`)
    const type = first.headers['content-type'] ?? 'nothing'
    holds(/^text\/event-stream\b/.test(type), `Content-Type: ${type}`)
  },
  'stream.at-once': async (kit) => {
    const stream = await (await kit.session()).stream()
    holds(stream.status === 200 && stream.events.length === 0, `the stream answered ${stream.status}`)
  },
  'stream.format': async (kit) => {
    const { first } = await kit.toolTurn()
    const blocks = first.text
      .replaceAll('\r\n', '\n')
      .split('\n\n')
      .filter((block) => !COMMENTS.test(block))
    for (const block of blocks) holds(BLOCK.test(block), quote(block))
    for (const { event, data } of first.events) holds(data !== undefined, `the data of ${event} is not JSON`)
  },
  'stream.webmcp-ready': async (kit) => {
    const { first, info } = await kit.toolTurn()
    const { registrationToken, webmcpUrl } = fieldsOf(info.json)
    const data = first.dataOf('webmcp_ready').map(fieldsOf)
    holds(data.length > 0, `no webmcp_ready among ${[...new Set(first.names)].join(', ')}`)
    isSame([data[0]?.registrationToken, data[0]?.webmcpUrl], [registrationToken, webmcpUrl], 'webmcp_ready')
  },
  'stream.webmcp-ready.again': async (kit) => {
    const { middle, idle } = await kit.toolTurn()
    for (const stream of [middle.stream, idle])
      holds(stream.names.includes('webmcp_ready'), `a new stream began with ${quote(stream.names.slice(0, 3))}`)
  },
  'stream.ready': async (kit) => {
    const session = await kit.session()
    const stream = await session.warm()
    isSame(stream.dataOf('ready')[0], null, 'the data of ready')
  },
  'stream.ready.again': async (kit) => {
    const { idle } = await kit.toolTurn()
    holds(idle.names.includes('ready'), `a new stream to an idle session began with ${quote(idle.names.slice(0, 3))}`)
  },
  'stream.turn-start': async (kit) => {
    const { first } = await kit.toolTurn()
    holds(first.names.includes('turn_start'), 'no turn_start came')
    for (const data of first.dataOf('turn_start')) isSame(data, null, 'the data of turn_start')
  },
  'stream.chunk': (kit) => allAreTexts(kit, 'chunk'),
  'stream.chunk.replay': async (kit) => {
    const { middle, first } = await kit.toolTurn()
    if (!middle.inTime)
      cannotSee('the AI was done before a second reader came; ask for a longer answer with --tool-prompt')
    isSame(firstTurnSaid(middle.stream), firstTurnSaid(first), 'the text of a stream opened in the middle')
  },
  'stream.thought': (kit) => allAreTexts(kit, 'thought'),
  'stream.tool-call': async (kit) => {
    const { first, calls } = await kit.toolTurn()
    if (calls.length === 0) cannotSee('the AI did not call the tool; ask it in another way with --tool-prompt')
    const seen = first.dataOf('tool_call').map(fieldsOf)
    holds(seen.length > 0, 'the AI called the tool without an event tool_call')
    for (const call of seen) {
      holds(typeof call.toolCallId === 'string', `tool_call carried ${quote(call)}`)
      for (const name of ['title', 'kind', 'status', 'toolName'])
        holds(['undefined', 'string'].includes(typeof call[name]), `tool_call carried ${quote(call)}`)
    }
  },
  'stream.permission': async (kit) => {
    const data = (await allData(kit, 'permission')).map(fieldsOf)
    if (data.length === 0) cannotSee('the AI asked for no permission')
    for (const each of data) holds(typeof each.toolName === 'string' && typeof each.allow === 'boolean', quote(each))
  },
  'stream.log': (kit) => allAreTexts(kit, 'log'),
  'stream.turn-completed': async (kit) => {
    for (const data of (await allData(kit, 'turn_completed')).map(fieldsOf)) {
      const { text, durationMs } = data
      holds(
        typeof text === 'string' && typeof durationMs === 'number' && durationMs >= 0,
        `turn_completed carried ${quote(data)}`,
      )
    }
  },
  'stream.turn-completed.text': async (kit) => {
    const { first } = await kit.toolTurn()
    isSame(turnText(first), firstTurnSaid(first), 'the text of turn_completed')
  },
  'stream.completed': async (kit) => {
    endsWith((await kit.toolTurn()).first, 'completed')
  },
  'stream.cancelled': async (kit) => {
    endsWith((await kit.heldTurn()).stream, 'cancelled')
  },
  'stream.failed': unseen('it needs an AI that fails'),
  'replay.order': async (kit) => {
    const { middle, idle } = await kit.toolTurn()
    isSame(idle.names.slice(0, 2), ['webmcp_ready', 'ready'], 'the beginning of a new stream to an idle session')
    isSame(middle.stream.names[0], 'webmcp_ready', 'the beginning of a new stream to a running session')
    if (middle.inTime) holds(middle.stream.names[1] !== 'ready', 'a running session was greeted with ready')
  },
  'replay.live': async (kit) => {
    const { middle } = await kit.toolTurn()
    if (!middle.inTime)
      cannotSee('the AI was done before a second reader came; ask for a longer answer with --tool-prompt')
    holds(
      middle.stream.names.includes('turn_completed'),
      'a stream opened in the middle did not hear the end of the turn',
    )
  },
  'replay.ended': async (kit) => {
    const { ended } = await kit.toolTurn()
    isSame(ended.events, [{ event: 'completed', data: null }], 'the stream of an ended session')
    holds(ended.inbox.closed, 'the stream of an ended session is open')
  },
}
