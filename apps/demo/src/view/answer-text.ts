/** An AI's text as paragraphs and lists. Knows the few marks that models use most; everything else stays as written. */
import { element } from './element.js'

export function answerText(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = []
  let list: HTMLElement | null = null
  for (const line of text.split('\n')) {
    const item = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(.*)$/u.exec(line)
    if (item !== null) {
      if (list === null) {
        list = element('ul')
        blocks.push(list)
      }
      list.append(element('li', {}, ...inline(item[1] ?? '')))
      continue
    }
    list = null
    const words = line.replace(/^#{1,6}\s+/u, '').trim()
    if (words !== '') blocks.push(element('p', {}, ...inline(words)))
  }
  return blocks
}

/** `**strong**` and `code`; links and pictures are left as text: an AI's answer must not make this page load anything. */
function inline(text: string): Node[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/u).flatMap((part): Node[] => {
    if (part === '') return []
    if (part.startsWith('**') && part.endsWith('**') && part.length > 4)
      return [element('strong', { text: part.slice(2, -2) })]
    if (part.startsWith('`') && part.endsWith('`') && part.length > 2)
      return [element('code', { text: part.slice(1, -1) })]
    return [document.createTextNode(part)]
  })
}
