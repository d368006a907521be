/** `POST /embed` (Embeddings). Stops working when the page leaves. */
import type { Embeddings } from '@leuria/embeddings'
import { embedBody } from '@leuria/protocol'
import { goneSignal } from '../http/gone-signal.js'
import { jsonBytes } from '../http/reply.js'
import { type Route, route } from '../http/route.js'

export function embedRoute(embeddings: Embeddings): Route {
  return route({
    method: 'POST',
    path: '/embed',
    access: 'paired',
    body: embedBody,
    handle: async ({ body, response }) => jsonBytes(200, await embeddings.embedToJson(body, goneSignal(response))),
  })
}
