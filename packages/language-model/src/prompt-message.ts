/** A turn's question as one message: the site's text, its text files wrapped, its images as they are. */
import type { Prompt } from '@leuria/agent'
import type { UserPart } from './chat-message.js'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** For a tag's body; a file can't close its own tag. */
const escapeText = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)
/** For an attribute: also quotes, and no line breaks. */
const escapeName = (name: string): string =>
  name.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign).replace(/\s+/g, ' ')

/** A text file as the page says: `<file name="…">…</file>`, name and body escaped (Sessions, Attachments). */
export function wrapFile(file: { text: string; name?: string }): string {
  return `<file name="${escapeName(file.name ?? 'file')}">${escapeText(file.text)}</file>`
}

export function promptParts(prompt: Prompt): UserPart[] {
  const parts: UserPart[] = [{ type: 'text', text: prompt.text }]
  for (const attachment of prompt.attachments ?? []) {
    if (attachment.type === 'text') parts.push({ type: 'text', text: wrapFile(attachment) })
    else {
      const { mimeType, data, name } = attachment
      parts.push({ type: 'image', mimeType, data, ...(name === undefined ? {} : { name }) })
    }
  }
  return parts
}
