/** Clauses of Stream events and Replay. */
import type { ClauseTable } from './clause.js'

export const STREAM = {
  'stream.type': { says: 'The stream answers 200 with Content-Type: text/event-stream.' },
  'stream.at-once': { says: 'The stream sends its headers at once.' },
  'stream.format': { says: 'Each event is an event line and a data line of JSON.' },
  'stream.webmcp-ready': { says: 'webmcp_ready carries registrationToken and webmcpUrl and is sent on approve.' },
  'stream.webmcp-ready.again': { says: 'webmcp_ready is sent again on every new stream once approved.' },
  'stream.ready': { says: 'ready carries null and is sent after an approve without a prompt.' },
  'stream.ready.again': { says: 'ready is sent on a new stream to an idle session.' },
  'stream.turn-start': { says: 'turn_start carries null.' },
  'stream.chunk': { says: "chunk carries the AI's text as a JSON string." },
  'stream.chunk.replay': { says: "A new stream replays the current turn's chunks." },
  'stream.thought': { says: "thought carries the AI's reasoning as a string." },
  'stream.tool-call': { says: 'tool_call has a toolCallId, for each call and each change of it.' },
  'stream.permission': { says: 'permission carries toolName and allow.' },
  'stream.log': { says: 'log carries a line as a string.' },
  'stream.turn-completed': { says: 'turn_completed carries text and durationMs.' },
  'stream.turn-completed.text': { says: "text of turn_completed is the whole turn's text." },
  'stream.completed': { says: 'completed carries null, and the stream then ends.' },
  'stream.cancelled': { says: 'cancelled carries null, and the stream then ends.' },
  'stream.failed': { says: 'failed carries a message, and the stream then ends.' },
  'replay.order': { says: 'A new stream begins with webmcp_ready, then ready if the session is idle.' },
  'replay.live': { says: 'After the replay a stream follows live events.' },
  'replay.ended': { says: 'A stream opened on an ended session gets its final event and closes.' },
} as const satisfies ClauseTable
