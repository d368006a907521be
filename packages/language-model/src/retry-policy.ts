/**
 * When a request that got no answer is sent again: pure, the caller waits.
 * Only before the first token, and only for what may pass by itself: 429, trouble on the server, nobody listening.
 */

/** What happened, as far as it matters here. */
export interface FailedTry {
  /** HTTP status, or `refused` when nobody listened. */
  outcome: number | 'refused'
  /** The `Retry-After` header as it came. */
  retryAfter?: string
  /** The service's own code and words. */
  words?: string
}

/** Waits between tries when the service names none. With the first try that is three. */
const WAITS_MS = [500, 1_500] as const
/** A refused connection: the service may be restarting, but a turn should fail soon if it is gone. */
const REFUSED_WAITS_MS = [250] as const
/** The longest `Retry-After` that is worth waiting for; beyond it the visitor is told at once. */
export const MAX_RETRY_AFTER_MS = 20_000
/** llama.cpp answers 503 while it reads a model from disk: it is asked again every second, for five minutes. */
const LOADING_WAIT_MS = 1_000
const MAX_LOADING_TRIES = 300

/** Statuses that may pass: too many requests, and servers in trouble (529 is Anthropic's "overloaded"). */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504, 529])

export type RetryDecision = { retry: false } | { retry: true; delayMs: number; why: 'busy' | 'loading' }

/** @param tries how many were made so far, at least 1. @param dateMs the calendar time, for a `Retry-After` that is a date */
export function decideRetry(failed: FailedTry, tries: number, dateMs: number): RetryDecision {
  const { outcome, words = '' } = failed
  if (outcome === 'refused') return waitFrom(REFUSED_WAITS_MS, tries)
  if (outcome === 503 && /loading (the )?model|model is loading/i.test(words)) {
    return tries > MAX_LOADING_TRIES ? { retry: false } : { retry: true, delayMs: LOADING_WAIT_MS, why: 'loading' }
  }
  // No money left is sent as 429 too; it doesn't pass by waiting.
  if (!PASSING.has(outcome) || /insufficient_quota|billing/i.test(words)) return { retry: false }
  const asked = failed.retryAfter === undefined ? null : retryAfterMs(failed.retryAfter, dateMs)
  if (asked !== null && asked > MAX_RETRY_AFTER_MS) return { retry: false }
  const decision = waitFrom(WAITS_MS, tries)
  return decision.retry && asked !== null ? { ...decision, delayMs: asked } : decision
}

function waitFrom(waits: readonly number[], tries: number): RetryDecision {
  const delayMs = waits[tries - 1]
  return delayMs === undefined ? { retry: false } : { retry: true, delayMs, why: 'busy' }
}

/** `Retry-After` in milliseconds from now: seconds or an HTTP date (RFC 9110 §10.2.3). `null`: neither. */
export function retryAfterMs(header: string, dateMs: number): number | null {
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - dateMs)
}
