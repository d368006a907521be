/** The protocol's waits as one value, so that an engine that is told to hurry can be checked in less time. */
import {
  CALL_LIMIT_MS,
  CHANNEL_PING_MS,
  CLAIM_WAIT_MS,
  DENIAL_COOLDOWN_MS,
  PAIRING_TTL_MS,
  READABLE_AFTER_END_MS,
} from '@leuria/protocol'

/** All in milliseconds. */
export interface PageTimes {
  /** How long a claim is held. */
  claimWaitMs: number
  /** How long a site can't ask again after a no. */
  cooldownMs: number
  /** When a question expires. */
  pairingMs: number
  /** Between the engine's pings. */
  pingMs: number
  /** How long an ended session stays readable. */
  readableMs: number
  /** How long a call may stay open. */
  callMs: number
}

/** The protocol page's own numbers. */
export const PAGE_TIMES: Readonly<PageTimes> = {
  claimWaitMs: CLAIM_WAIT_MS,
  cooldownMs: DENIAL_COOLDOWN_MS,
  pairingMs: PAIRING_TTL_MS,
  pingMs: CHANNEL_PING_MS,
  readableMs: READABLE_AFTER_END_MS,
  callMs: CALL_LIMIT_MS,
}
