/** What takes long or asks much of the visitor: a question that nobody answers, and twenty of them at once. Recorded once. */
import { MAX_PENDING_PAIRINGS } from '@leuria/protocol'
import { ClauseBroken, cannotSee } from '../report/observe.js'
import { type Answer, seen } from '../wire-http.js'
import type { Kit } from './kit.js'
import { type Claim, claimBriefly, claimOnce, freshNonce, openLink, statusOf } from './pairing-record.js'

/** For the way there and back, and for timers of busy computers. */
export const SLACK_MS = 2_500

export interface UnansweredRecord {
  readonly claim: Claim
  readonly first: Answer
  readonly tookMs: number
  readonly askedAt: number
}

/** A question that nobody answers: its first claim. */
export function recordUnanswered(kit: Kit): Promise<UnansweredRecord> {
  const { subject } = kit
  subject.needsMs(kit.options.times.claimWaitMs)
  return subject.once('unanswered', async () => {
    const claim: Claim = { origin: subject.origin('patient'), nonce: freshNonce() }
    await openLink(subject, claim)
    const askedAt = Date.now()
    const first = await claimOnce(subject, claim)
    return { claim, first, tookMs: Date.now() - askedAt, askedAt }
  })
}

/** The same question until it expires. */
export function recordExpiry(kit: Kit): Promise<{ last: Answer; afterMs: number }> {
  const { subject } = kit
  const { pairingMs, claimWaitMs } = kit.options.times
  subject.needsMs(pairingMs)
  return subject.once('expiry', async () => {
    const { claim, askedAt } = await recordUnanswered(kit)
    for (;;) {
      const last = await claimOnce(subject, claim)
      const afterMs = Date.now() - askedAt
      if (last.status !== 200) return { last, afterMs }
      if (statusOf(last) !== 'pending') throw new ClauseBroken(`nobody answered, but ${seen(last)}`)
      if (afterMs > pairingMs + claimWaitMs + SLACK_MS) return { last, afterMs }
    }
  })
}

/** What the one too many got. */
export function recordFlood(kit: Kit): Promise<Answer> {
  const { subject } = kit
  if (!kit.options.flood) cannotSee('it would put 20 questions to the visitor; allow it with --flood')
  return subject.once('flood', async () => {
    const claims = Array.from({ length: MAX_PENDING_PAIRINGS }, (_, site): Claim => {
      return { origin: subject.origin(`flood-${site}`), nonce: freshNonce() }
    })
    for (const claim of claims) await openLink(subject, claim)
    await Promise.all(claims.map((claim) => claimBriefly(subject, claim)))
    const oneMore: Claim = { origin: subject.origin('one-more'), nonce: freshNonce() }
    await openLink(subject, oneMore)
    const answer = await claimBriefly(subject, oneMore)
    if (answer === null) throw new ClauseBroken('a question more than 20 was put to the visitor')
    return answer
  })
}
