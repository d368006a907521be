/** From what a page sends to a message: files are read, and turned into `data:` URLs. */
import { LeuriaError } from '../errors.js'
import { parseDataUrl, toDataUrl } from './data-url.js'
import type { FileInput, FilePart, Message, MessageInput, MessagePart, TurnContextData } from './message.js'
import { newId } from './new-id.js'

/** Files of these names whose type the browser doesn't know are texts. */
const TEXT_NAME = /\.(txt|md|csv|tsv|log|ya?ml|toml|ini|json|xml|[jt]sx?|py|rb|go|rs|java|c|h|cpp|css|sql|sh)$/i

const FILE_FORMS = 'A file is a File, a Blob, or { url: "data:…", mediaType, filename? }.'

/**
 * Makes a message of the visitor's; files become `data:` URLs.
 * @throws LeuriaError `bad_request` for a file that is neither a Blob nor a `data:` URL
 */
export async function toMessage(input: MessageInput, context?: TurnContextData): Promise<Message> {
  return userMessage(await readParts(input), context)
}

/** The message around its parts. */
export function userMessage(parts: readonly MessagePart[], context?: TurnContextData): Message {
  return { id: newId('message'), role: 'user', parts, ...(context && { context }) }
}

/** The parts of what a page sends: at once where there are no files. */
export function readParts(input: MessageInput): MessagePart[] | Promise<MessagePart[]> {
  const { content, files = [] } = typeof input === 'string' ? { content: input } : input
  const text: MessagePart[] = content ? [{ type: 'text', text: content }] : []
  return files.length > 0 ? Promise.all(files.map(readFile)).then((read) => [...text, ...read]) : text
}

async function readFile(file: FileInput): Promise<FilePart> {
  if (!(file instanceof Blob)) {
    const { url, mediaType, filename } = file
    if (typeof url === 'string' && parseDataUrl(url)) return filePart(url, mediaType, filename)
    throw new LeuriaError("This file can't be sent.", { code: 'bad_request', detail: FILE_FORMS, cause: FILE_FORMS })
  }
  const filename = file instanceof File ? file.name : undefined
  const guess = filename && TEXT_NAME.test(filename) ? 'text/plain' : 'application/octet-stream'
  const mediaType = file.type.split(';')[0] || guess
  return filePart(await toDataUrl(file, mediaType), mediaType, filename)
}

function filePart(url: string, mediaType: string, filename: string | undefined): FilePart {
  return { type: 'file', mediaType, url, ...(filename !== undefined && { filename }) }
}
