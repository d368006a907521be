/** The engine's address as a site may give it: loopback only, without slashes at the end. */
import { LeuriaError } from '../errors.js'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/

/**
 * The base URL for requests, as written but for slashes at the end (the token's key contains it).
 * @throws LeuriaError `bad_url` unless it is `http:` on 127.0.0.1 or localhost without a path: a token must go nowhere else.
 */
export function parseEngineUrl(text: string): string {
  const base = text.replace(/\/+$/, '')
  if (LOOPBACK.test(base)) return base
  throw new LeuriaError('The address of Leuria must be on this computer.', {
    code: 'bad_url',
    detail: text,
  })
}

/** The same address for WebSockets. */
export function socketUrl(base: string): string {
  return base.replace(/^http/, 'ws')
}
