/** What a site has used, in words for a table. */
import type { SiteUsage } from '@leuria/protocol'

/** `1,234,567`, the same on every computer. */
export function showNumber(number: number): string {
  return number.toLocaleString('en-US')
}

/** `1 turn`, `3,000 turns`. */
export function showCount(count: number, what: string): string {
  return `${showNumber(count)} ${what}${count === 1 ? '' : 's'}`
}

/** `3 turns, ~1,200 tokens`; the wave: some of them are estimated. */
export function showUse({ turns, tokens, estimatedTokens }: SiteUsage): string {
  if (turns === 0 && tokens === 0) return 'nothing'
  return `${showCount(turns, 'turn')}, ${estimatedTokens > 0 ? '~' : ''}${showCount(tokens, 'token')}`
}
