/** Files of a page, read into parts of a message. Loaded only when a message has files. */
import { LeuriaError } from '../errors.js'
import { parseDataUrl, toBase64 } from './data-url.js'
import type { FileInput, FilePart } from './message.js'

/** Files of these names whose type the browser doesn't know are texts. */
const TEXT_NAME = /\.(txt|md|csv|tsv|log|ya?ml|toml|ini|json|xml|[jt]sx?|py|rb|go|rs|java|c|h|cpp|css|sql|sh)$/i
const FILE_FORMS = 'A file is a File, a Blob, or { url: "data:…", mediaType, filename? }.'

/** @throws LeuriaError `bad_request` for what is neither a Blob nor a `data:` URL */
export async function readFile(file: FileInput): Promise<FilePart> {
  if (!(file instanceof Blob)) {
    const { url, mediaType, filename } = file
    const read = typeof url === 'string' ? parseDataUrl(url) : null
    if (read) return { type: 'file', mediaType: mediaType || read.mediaType, url, filename }
    throw new LeuriaError("This file can't be sent.", { code: 'bad_request', detail: FILE_FORMS, cause: FILE_FORMS })
  }
  const filename = file instanceof File ? file.name : undefined
  const guess = filename && TEXT_NAME.test(filename) ? 'text/plain' : 'application/octet-stream'
  const mediaType = file.type.split(';')[0] || guess
  const url = `data:${mediaType};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`
  return { type: 'file', mediaType, url, filename }
}
