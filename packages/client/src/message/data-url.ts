/** `data:` URLs: how files travel inside messages. Knows nothing of messages. */

export interface DataUrl {
  /** Without parameters. @default 'text/plain' where the URL names none */
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** Bytes that go through one call of `String.fromCharCode`; engines limit a call's arguments. */
const CHUNK_BYTES = 8_192

/** Takes a `data:` URL apart (RFC 2397). `null`: it isn't one. Base64 is taken as it is: files may have megabytes. */
export function parseDataUrl(url: string): DataUrl | null {
  const head = /^data:([^,;]*)([^,]*),/i.exec(url)
  if (!head) return null
  const body = url.slice(head[0].length)
  try {
    const data = /;\s*base64\s*$/i.test(head[2] ?? '')
      ? body
      : toBase64(new TextEncoder().encode(decodeURIComponent(body)))
    return { mediaType: head[1]?.trim().toLowerCase() || 'text/plain', data }
  } catch {
    return null
  }
}

/** The text that base64 stands for, read as UTF-8. `null`: it isn't base64. */
export function fromBase64(data: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0)))
  } catch {
    return null
  }
}

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  return btoa(binary)
}
