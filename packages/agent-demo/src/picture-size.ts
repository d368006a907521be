/** What a picture is without looking at it: its kind and its size, from the first bytes of the file. Pure. */

export interface PictureFacts {
  readonly kind: 'PNG' | 'JPEG' | 'GIF' | 'WebP'
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** Sizes stand near the beginning; a JPEG may carry a preview and other things before it. Characters of base64. */
const MAX_LOOKED_AT = 400_000

/** `null`: another kind of file, or one whose beginning is damaged. */
export function readPicture(base64: string): PictureFacts | null {
  const bytes = Buffer.from(base64.slice(0, MAX_LOOKED_AT), 'base64')
  const facts = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  return facts !== null && facts.width > 0 && facts.height > 0 ? facts : null
}

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

function readPng(bytes: Buffer): PictureFacts | null {
  if (bytes.length < 24 || !startsWith(bytes, '\u0089PNG\r\n\u001a\n')) return null
  return { kind: 'PNG', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGif(bytes: Buffer): PictureFacts | null {
  if (bytes.length < 10 || !/^GIF8[79]a/u.test(bytes.toString('latin1', 0, 6))) return null
  return { kind: 'GIF', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** WebP has three forms, each with its size in a place of its own (RFC 9649, 2.5 to 2.7). */
function readWebp(bytes: Buffer): PictureFacts | null {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { kind: 'WebP', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { kind: 'WebP', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { kind: 'WebP', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return null
  }
}

/** Walks from segment to segment up to the frame's header, which has the size (ITU T.81, B.2.2). */
function readJpeg(bytes: Buffer): PictureFacts | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { kind: 'JPEG', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
