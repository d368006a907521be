/** What a provider without files of its own makes of a message: one text, and the pictures. */
import type { FilePart, Message } from '../message/message.js'

const isPicture = (part: Message['parts'][number]): part is FilePart =>
  part.type === 'file' && part.mediaType.startsWith('image/')

export function messageImages(message: Message): FilePart[] {
  return message.parts.filter(isPicture)
}

export function spokenText(message: Message): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
