/** TypeScript as pieces to be coloured: comments, texts, words of the language. Pure; joined they are the source again. */

export interface SourceToken {
  readonly text: string
  readonly kind: 'comment' | 'string' | 'keyword' | 'plain'
}

const KEYWORDS =
  'as async await break case class const continue default else export extends for from function if import in instanceof interface let new null of readonly return satisfies switch throw true try catch finally false type typeof undefined void while'
const PATTERN = new RegExp(
  [
    /(?<comment>\/\*[^]*?\*\/|\/\/[^\n]*)/.source,
    /(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/.source,
    String.raw`(?<keyword>(?<![\w$.])(?:${KEYWORDS.replaceAll(' ', '|')})(?![\w$:]))`,
  ].join('|'),
  'gu',
)

export function sourceTokens(source: string): SourceToken[] {
  const tokens: SourceToken[] = []
  let at = 0
  const plain = (end: number): void => {
    if (end > at) tokens.push({ text: source.slice(at, end), kind: 'plain' })
  }
  for (const match of source.matchAll(PATTERN)) {
    plain(match.index)
    const { comment, string } = match.groups ?? {}
    const kind = comment !== undefined ? 'comment' : string !== undefined ? 'string' : 'keyword'
    tokens.push({ text: match[0], kind })
    at = match.index + match[0].length
  }
  plain(source.length)
  return tokens
}
