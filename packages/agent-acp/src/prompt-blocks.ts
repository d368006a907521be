/** A prompt with its attachments → ACP content blocks (Sessions, Attachments). Pure. */
import type { Prompt } from '@leuria/agent'

export type PromptBlock = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: string }

export interface PromptContext {
  /** The agent takes images. */
  images: boolean
  /** Comes before the visitor's words, in the first prompt of an agent that has no other place for it. */
  preface?: string
}

export function promptBlocks({ text, attachments = [] }: Prompt, { images, preface }: PromptContext): PromptBlock[] {
  const words = preface === undefined ? plainWords(text) : `${preface}\n\n---\n\n${text}`
  return [
    { type: 'text', text: words },
    ...attachments.map((attachment): PromptBlock => {
      if (attachment.type === 'text') return { type: 'text', text: wrapFile(attachment.name, attachment.text) }
      if (images) return { type: 'image', mimeType: attachment.mimeType, data: attachment.data }
      return { type: 'text', text: `[An image${named(attachment.name)} was left out: this AI does not take images.]` }
    }),
  ]
}

/** Agents read a first `/`, `!` or `#` as a command of their own; a page's words must never be one. */
function plainWords(text: string): string {
  return /^\s*[/!#]/.test(text) ? `The visitor writes:\n${text}` : text
}

/** `<file name="…">…</file>`: neither the name nor the text may end it early and pass for something else. */
function wrapFile(name = 'file', text: string): string {
  return `<file name="${escapeName(name)}">${text.replace(/<(?=\/?file\b)/gi, '&lt;')}</file>`
}

function named(name: string | undefined): string {
  return name === undefined || name === '' ? '' : ` (${escapeName(name)})`
}

function escapeName(name: string): string {
  return name
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
}
