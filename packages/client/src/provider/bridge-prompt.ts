/** A message as the engine takes it: text, attachments, and in front of the first one what was said before. */
import type { Attachment } from '@leuria/protocol/browser'
import type { PromptOptions } from '../engine/bridge-session.js'
import { LeuriaError } from '../errors.js'
import { parseDataUrl } from '../message/data-url.js'
import { fileText, messageFiles, messageText, transcript } from '../message/message-content.js'
import type { FilePart, Message } from '../message/message.js'

function attachmentOf(file: FilePart): Attachment {
  const { url, mediaType, filename: name } = file
  const text = fileText(file)
  if (text !== null) return { type: 'text', text, name, mimeType: mediaType }
  const data = parseDataUrl(url)?.data
  if (mediaType.startsWith('image/') && data !== undefined) return { type: 'image', mimeType: mediaType, data, name }
  throw new LeuriaError('Your AI takes images and text files only.', { code: 'unsupported_file', detail: mediaType })
}

/** @throws LeuriaError `unsupported_file` */
export function toPrompt(
  message: Message,
  { history, signal }: { history: readonly Message[]; signal: AbortSignal },
): [prompt: string, options: PromptOptions] {
  const files = messageFiles(message)
  // An engine takes no empty prompt.
  const text = messageText(message).trim() === '' ? 'See what is attached.' : messageText(message)
  const before = history.length > 0 ? `Said so far:\n\n${transcript(history)}\n\nThe user goes on:\n\n` : ''
  return [before + text, { signal, attachments: files.length > 0 ? files.map(attachmentOf) : undefined }]
}
