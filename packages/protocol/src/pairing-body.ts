/** Bodies and answers of `/connect/*` (Pairing). */
import * as z from 'zod/mini'
import type { Needs } from './needs.js'
import { parseNeeds } from './needs.js'
import { isNonce } from './nonce.js'

/** Needs inside a body: dropped where they aren't understood, never a reason to refuse. */
export const needsField = z.pipe(
  z.unknown(),
  z.transform((value): Needs | undefined => parseNeeds(value)),
)

/** A nonce; anything else is the caller's mistake. */
export const nonceField = z.custom<string>(isNonce, 'nonce must be 22 to 128 base64url characters')

/** An app's name: a text or nothing; other types are dropped, since the name is only ever shown. */
export const appField = z.pipe(
  z.unknown(),
  z.transform((value): string | undefined =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined,
  ),
)

/** `POST /connect/claim`. */
export const claimBody = z.object({ nonce: nonceField, app: z.optional(appField), needs: z.optional(needsField) })
export type ClaimBody = z.infer<typeof claimBody>

/** Its answers. */
export const claimReply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending') }),
  z.object({ status: z.literal('denied') }),
  z.object({ status: z.literal('allowed'), token: z.string() }),
])
export type ClaimReply = z.infer<typeof claimReply>

/** `POST /connect/:id/decide`. Only the word `true` allows; `key` is the approval page's one-time key (additive). */
export const decideBody = z.object({ allow: z.unknown(), key: z.optional(z.unknown()) })

/** What has become of a question (`GET /connect/:id/state`). */
export const PAIRING_DECISIONS = ['pending', 'allowed', 'denied', 'expired'] as const
export type PairingDecision = (typeof PAIRING_DECISIONS)[number]

/** `GET /connect/:id/state`. */
export const pairingStateReply = z.object({ decision: z.enum(PAIRING_DECISIONS) })
