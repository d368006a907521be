/** Ends the sessions of everyone whose AI a change concerns: sites by their choice, local programs by the default. */
import type { SiteChoice } from '@leuria/ai-choice'
import type { GrantStore } from '@leuria/grant-store'
import type { Owner } from '@leuria/session-manager'

export interface SessionsToEnd {
  grants: GrantStore
  sessions: { endFor: (owner: Owner, reason: string) => void }
}

/** @param isChanged asked for each site's choice, and with `null` for the default AI */
export function endChangedSessions(
  { grants, sessions }: SessionsToEnd,
  isChanged: (choice: SiteChoice | null) => boolean,
  reason: string,
): void {
  const sites = grants.list().filter(isChanged)
  const owners: Owner[] = [...sites.map(({ origin }) => origin), ...(isChanged(null) ? (['local'] as const) : [])]
  for (const owner of owners) sessions.endFor(owner, reason)
}
