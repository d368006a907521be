/** The question that only the page can answer, the tool that answers it, and how an answer is judged. Pure but for chance. */
import { randomInt } from 'node:crypto'
import type { TestTool } from './test-page.js'

/** Three digits: nobody writes them with a separator, and no model guesses them (1 in 900). */
export function secretNumber(): number {
  return randomInt(100, 1_000)
}

export const QUESTION =
  'How many of the product "lamp" are in stock? Ask the page with its tool, then answer with the number.'

export function stockTool(secret: number): TestTool {
  return {
    name: 'count_stock',
    description: 'Says how many of a product are in stock',
    inputSchema: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
    run: () => ({ product: 'lamp', stock: secret }),
  }
}

/** Longest part of an answer that a detail quotes, in characters: a line or two. */
const QUOTE_LENGTH = 160

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= QUOTE_LENGTH ? `“${line}”` : `“${line.slice(0, QUOTE_LENGTH).trimEnd()}…”`
}

export interface Answer {
  text: string
  /** The page's tool was called. */
  called: boolean
  secret: number
}

export function judgeAnswer({ text, called, secret }: Answer): { ok: boolean; detail: string } {
  if (!called && text.trim() === '') return { ok: false, detail: 'It neither asked the page nor answered.' }
  if (!called) return { ok: false, detail: `It answered without asking the page: ${quote(text)}` }
  if (text.trim() === '') return { ok: false, detail: 'It asked the page, then gave no answer.' }
  return new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text)
    ? { ok: true, detail: `It asked the page and answered: ${quote(text)}` }
    : { ok: false, detail: `It asked the page, but its answer isn't what the page said: ${quote(text)}` }
}
