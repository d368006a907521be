/**
 * Cuts a Markdown text into pieces that are small enough to be embedded, at headings and paragraphs where it can. The
 * pieces joined are the text again, character by character.
 */

export interface MarkdownChunk {
  readonly text: string
  /** The headings it stands under, outermost first. */
  readonly path: readonly string[]
}

export interface ChunkMarkdownOptions {
  /** Longest piece, in UTF-16 units; 2 at least. @default 1200 */
  maxChars?: number
}

/** Part of a text that is better not cut. */
interface Block {
  text: string
  heading?: { level: number; title: string }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/

/** @throws RangeError for a `maxChars` that leaves no room */
export function chunkMarkdown(markdown: string, { maxChars = 1200 }: ChunkMarkdownOptions = {}): MarkdownChunk[] {
  if (!(maxChars >= 2)) throw new RangeError('maxChars must be 2 at least')
  const chunks: MarkdownChunk[] = []
  const path: { level: number; title: string }[] = []
  let text = ''
  /** Nothing but headings so far: more of them may join. */
  let isOpening = true

  const flush = (): void => {
    if (text !== '') chunks.push({ text, path: path.map(({ title }) => title) })
    text = ''
    isOpening = true
  }

  for (const block of blocksOf(markdown)) {
    if (block.heading ? !isOpening : text.length + block.text.length > maxChars) flush()
    if (block.heading) {
      const { level } = block.heading
      while ((path.at(-1)?.level ?? 0) >= level) path.pop()
      path.push(block.heading)
    } else isOpening = false
    for (const piece of pieces(block.text, maxChars)) {
      if (text.length + piece.length > maxChars) flush()
      text += piece
      if (!block.heading) isOpening = false
    }
  }
  flush()
  return chunks
}

/** Headings, fenced code, and paragraphs (anything else up to blank lines), each with the blank lines after it. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let fence: string | null = null
  /** The next line that isn't blank begins a block. */
  let isOver = true

  const begin = (block: Block): void => {
    blocks.push(block)
  }

  for (const line of markdown.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const last = blocks.at(-1)
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (last) last.text += line
      const rest = line.trim()
      if (mark?.startsWith(fence) && rest === mark) {
        fence = null
        isOver = true
      }
      continue
    }
    if (line.trim() === '') {
      if (last) last.text += line
      else begin({ text: line })
      isOver = true
      continue
    }
    const heading = HEADING.exec(line.trimEnd())
    if (heading) begin({ text: line, heading: { level: heading[1]?.length ?? 1, title: titleOf(heading[2]) } })
    else if (mark !== undefined || isOver || !last) begin({ text: line })
    else last.text += line
    fence = mark ?? null
    isOver = heading !== null
  }
  return blocks
}

/** Without the hashes that may close a heading. */
function titleOf(text = ''): string {
  return text.replace(/(^|[ \t])#+$/, '').trim()
}

/** A block as it is, or cut: after a line, else a sentence, else a word, else anywhere but inside a character. */
function* pieces(text: string, maxChars: number): Generator<string> {
  let rest = text
  while (rest.length > maxChars) {
    const at = cutAt(rest.slice(0, maxChars), rest.charCodeAt(maxChars))
    yield rest.slice(0, at)
    rest = rest.slice(at)
  }
  yield rest
}

function cutAt(window: string, next: number): number {
  const line = window.lastIndexOf('\n') + 1
  if (line > 0) return line
  const sentence = Math.max(...['. ', '! ', '? ', '。'].map((end) => window.lastIndexOf(end) + end.length))
  if (sentence > window.length / 2) return sentence
  const word = window.lastIndexOf(' ') + 1
  if (word > 0) return word
  const isInside = next >= 0xdc00 && next <= 0xdfff && /[\ud800-\udbff]$/.test(window)
  return isInside ? window.length - 1 : window.length
}
