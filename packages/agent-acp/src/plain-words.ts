/** What a program wrote for a terminal, as words: in a log, a window or a terminal of ours it must change nothing but the text. */

const ESC = '\u001b'
/** Colours, moves, titles, links (ECMA-48 control sequences and strings). */
const SEQUENCE = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|[\\]P_^X][^\\p{Cc}]*|[ -/]*[0-~])`, 'gu')
/** What is left of them, and marks that turn the reading direction around. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

export function plainWords(text: string): string {
  return text.replace(SEQUENCE, '').replaceAll('\t', '  ').replace(CONTROL, '')
}
