/** The two names this engine goes by, as a `Host` and as an `Origin` (Conventions, Host and Callers). */

/** Clients leave this port out of `Host` and `Origin` (RFC 9110 §4.2.1). */
const HTTP_PORT = 80

/** True for exactly `127.0.0.1:<port>` and `localhost:<port>`: no other case, no dot at the end, no other address. */
export function isOwnHost(host: string, port: number): boolean {
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return true
  return port === HTTP_PORT && (host === '127.0.0.1' || host === 'localhost')
}

/** True for the origin of pages that this engine serves. The origin must be in normal form. */
export function isOwnOrigin(origin: string, port: number): boolean {
  return origin.startsWith('http://') && isOwnHost(origin.slice('http://'.length), port)
}
