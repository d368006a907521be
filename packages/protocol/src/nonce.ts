/** The pairing nonce: 16 to 96 random bytes as unpadded base64url (Pairing, step 1). */
import { MAX_NONCE_LENGTH, MIN_NONCE_LENGTH } from './limits.js'

const NONCE = new RegExp(`^[A-Za-z0-9_-]{${MIN_NONCE_LENGTH},${MAX_NONCE_LENGTH}}$`)

/** True for a text that has the form of a nonce. Says nothing about who made it. */
export function isNonce(text: unknown): text is string {
  return typeof text === 'string' && NONCE.test(text)
}
