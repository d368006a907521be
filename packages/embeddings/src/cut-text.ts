/** Texts as they are sent: no longer than allowed, and always whole characters. */
import { MAX_EMBED_TEXT_LENGTH } from '@leuria/protocol'

/** Half of a surrogate pair standing alone: some services refuse the whole request for it. */
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const HIGH = /[\ud800-\udbff]/

/**
 * At most `limit` UTF-16 units ("each cut to 8,000 characters"); a pair that the cut would split is left out whole.
 * Halves that were alone already become U+FFFD, as everywhere where text is turned into UTF-8.
 */
export function cutText(text: string, limit: number = MAX_EMBED_TEXT_LENGTH): string {
  const whole = text.replace(HALF_PAIR, '\ufffd')
  if (whole.length <= limit) return whole
  return whole.slice(0, HIGH.test(whole.charAt(limit - 1)) ? limit - 1 : limit)
}
