/**
 * The registration blob: base64 of `{ server, token }` (Page tools, Tokens).
 * A page sends it as it is; the engine accepts the blob or the inner token alone.
 */

/** Longest text that is tried as a token, in characters. */
const MAX_TOKEN_LENGTH = 1_024

/** The blob a page gets as `registrationToken`. `server` is the `ws:` base URL. */
export function formatRegistrationToken(server: string, token: string): string {
  return btoa(JSON.stringify({ server, token }))
}

/** The inner token of a blob, or the text itself when it isn't one. `null`: longer than any token. */
export function readRegistrationToken(text: string): string | null {
  if (text.length > MAX_TOKEN_LENGTH) return null
  try {
    const blob: unknown = JSON.parse(atob(text))
    if (typeof blob === 'object' && blob !== null && 'token' in blob && typeof blob.token === 'string')
      return blob.token
  } catch {
    // Not a blob: a page may also send the inner token alone.
  }
  return text
}
