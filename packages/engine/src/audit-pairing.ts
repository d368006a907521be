/** What the visitor was asked and what they answered, for their own log. A question that a site repeats is told once. */
import type { AuditSink } from '@leuria/agent'
import type { Pairing } from '@leuria/pairing'

/** Listens for as long as the pairing lives. Returns its undo. */
export function auditPairing(pairing: Pick<Pairing, 'subscribe'>, audit: AuditSink): () => void {
  return pairing.subscribe((event) => {
    if (event.kind === 'asked') {
      const { origin, app } = event
      audit.record({ kind: 'pairing_asked', origin, ...(app === undefined ? {} : { app }) })
    }
    if (event.kind === 'decided')
      audit.record({ kind: 'pairing_answered', origin: event.origin, allowed: event.allowed })
  })
}
