/** A revoked site's sessions end, and so do those whose AI the visitor changed, whichever process made the change. */
import type { GrantChange, GrantStore } from '@leuria/grant-store'

/** What ends a live session, in words for the page's developer. */
const REASONS: Record<GrantChange['kind'], string | null> = {
  added: null,
  // The site proved itself anew; its sessions go on under the new token.
  token_replaced: null,
  revoked: 'The visitor disconnected this site.',
  ai_changed: 'The visitor chose another AI for this site.',
}

export interface EndSessionsOptions {
  grants: GrantStore
  sessions: { endFor(owner: GrantChange['origin'], reason: string): void }
}

/** Listens to the store's one feed. Returns its undo. */
export function endSessionsWithGrants({ grants, sessions }: EndSessionsOptions): () => void {
  return grants.subscribe(({ kind, origin }) => {
    const reason = REASONS[kind]
    if (reason !== null) sessions.endFor(origin, reason)
  })
}
