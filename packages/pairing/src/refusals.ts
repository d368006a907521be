/** What refused callers are told, in one place. */
import { MAX_NONCE_LENGTH, MAX_PENDING_PAIRINGS, MIN_NONCE_LENGTH } from '@leuria/protocol'
import type { Refused } from './pairing.js'

export const NOT_FOUND: Refused = {
  kind: 'refused',
  code: 'not_found',
  message: 'No pairing request with this nonce. A newer one may have replaced it.',
}
export const EXPIRED: Refused = {
  kind: 'refused',
  code: 'expired',
  message: 'This pairing request has expired. Ask again.',
}
export const ANSWERED: Refused = {
  kind: 'refused',
  code: 'expired',
  message: 'This pairing request has expired or was answered already.',
}
export const BAD_ORIGIN: Refused = {
  kind: 'refused',
  code: 'bad_request',
  message: 'origin must be the http(s) origin of a site',
}
export const BAD_NONCE: Refused = {
  kind: 'refused',
  code: 'bad_request',
  message: `nonce must be ${MIN_NONCE_LENGTH} to ${MAX_NONCE_LENGTH} base64url characters`,
}
export const WRONG_KEY: Refused = {
  kind: 'refused',
  code: 'forbidden',
  message: "Only the engine's own approval page can answer.",
}
export const TOO_MANY_PENDING: Refused = {
  kind: 'refused',
  code: 'too_many',
  message: `There are ${MAX_PENDING_PAIRINGS} unanswered pairing requests already. Try again in a few minutes.`,
}
export const TOO_MANY_CLAIMS: Refused = {
  kind: 'refused',
  code: 'too_many',
  message: 'Too many claims wait for this pairing request.',
}
export const TOO_MANY_NONCES: Refused = {
  kind: 'refused',
  code: 'too_many',
  message: 'This pairing request was repeated too often.',
}

/** The visitor said no a moment ago. */
export function coolingDown(waitMs: number): Refused {
  return {
    kind: 'refused',
    code: 'too_many',
    message: 'The visitor just said no to this site.',
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)),
  }
}
