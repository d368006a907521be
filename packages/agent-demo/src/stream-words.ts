/** Text as a stream of words, paced a little so that it can be read as it comes. */
import { type Clock, pause } from '@leuria/clock'

export interface Pace {
  readonly clock: Clock
  /** Pause before each word but the first; 0 for none. */
  readonly wordDelayMs: number
}

/** However long a text, pauses add up to this at most: a long list must not take longer for having been found at once. */
const MAX_TOTAL_DELAY_MS = 1_500

/** Yields the text word by word, spaces and line breaks kept. Ends early when the signal aborts. */
export async function* streamWords(text: string, pace: Pace, signal: AbortSignal): AsyncGenerator<string> {
  const pieces = text.match(/\s*\S+/gu) ?? []
  const delayMs = Math.min(pace.wordDelayMs, MAX_TOTAL_DELAY_MS / Math.max(1, pieces.length))
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && delayMs > 0) await pause(pace.clock, delayMs, signal)
    if (signal.aborted) return
    yield piece
  }
}
