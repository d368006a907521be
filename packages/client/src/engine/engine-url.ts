/** The engine's address as a site may give it: loopback only, without slashes at the end. */
import { LeuriaError } from '../errors.js'

/**
 * The base URL for requests, as written but for slashes at the end (the token's key contains it).
 * @throws LeuriaError `bad_url` unless it is `http:` on 127.0.0.1 or localhost without a path: a token must go nowhere else.
 */
export function parseEngineUrl(text: string): string {
  const base = text.replace(/\/+$/, '')
  const url = URL.canParse(base) ? new URL(base) : null
  const isLoopback = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost'
  if (url?.protocol !== 'http:' || !isLoopback || url.pathname !== '/' || url.search !== '' || url.username !== '') {
    throw new LeuriaError('The address of Leuria must be http://127.0.0.1 or http://localhost with a port.', {
      code: 'bad_url',
      detail: text,
    })
  }
  return base
}

/** The same address for WebSockets. */
export function socketUrl(base: string): string {
  return base.replace(/^http/, 'ws')
}
