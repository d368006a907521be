/** Tells a route that its client went away before the answer left: nobody waits any more. */
import type { ServerResponse } from 'node:http'

export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}
