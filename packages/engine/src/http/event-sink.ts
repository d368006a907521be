/** A session's event stream on a node response: headers at once, back-pressure told to the writer. */
import type { ServerResponse } from 'node:http'
import type { StreamSink } from '@leuria/session-manager'
import { type Headers, listHeaders } from './reply.js'

/** `no-transform`: a proxy that compresses would hold events back. */
const STREAM_HEADERS: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-content-type-options': 'nosniff',
}

/** What a session writes to; the headers leave when the session accepts the stream (Stream events). */
export function responseSink(response: ServerResponse, cors: Headers): StreamSink {
  return {
    open() {
      response.socket?.setNoDelay(true)
      response.writeHead(200, listHeaders([STREAM_HEADERS, cors]))
      response.flushHeaders()
    },
    write(text) {
      const { socket } = response
      // Node itself would hold the parts of a chunk together until everything else that is due has run.
      socket?.cork()
      const takesMore = response.write(text)
      socket?.uncork()
      return takesMore
    },
    end() {
      response.end()
    },
    destroy() {
      response.destroy()
    },
    onDrain(listener) {
      response.on('drain', listener)
    },
  }
}
