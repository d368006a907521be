/** Which site a request is about. */
import { EngineError, type Origin, parseOrigin } from '@leuria/protocol'

/** @throws EngineError `bad_request` when the query names no site */
export function originIn(query: URLSearchParams): Origin {
  const origin = parseOrigin(query.get('origin') ?? '')
  if (origin === null) throw new EngineError('bad_request', 'origin must be the http(s) origin of a site')
  return origin
}
