/** Where sessions meet the visitor's limits: counts what they use, and refuses what would go over (429, `over_budget`). */
import { EngineError, isLive } from '@leuria/protocol'
import { type Owner, type SessionManager, transition } from '@leuria/session-manager'
import type { Check, Usage } from '@leuria/usage'

export interface Budget {
  /** @throws EngineError `over_budget` when the site may not have one more session now */
  requireSession(owner: Owner): void
  /**
   * Does nothing where the session's status doesn't allow the step anyway: the page gets that reason then.
   * @throws EngineError `not_found`; `over_budget` when the site may not have one more turn now
   */
  requireTurn(owner: Owner, sessionId: string, step: 'approve' | 'prompt'): void
}

export function createBudget(sessions: Pick<SessionManager, 'status'>, usage: Pick<Usage, 'check'>): Budget {
  const require = (owner: Owner, what: Check): void => {
    const over = usage.check(owner, what)
    if (over !== null) throw new EngineError('over_budget', over.message, { retryAfterS: over.retryAfterS })
  }
  return {
    requireSession(owner) {
      require(owner, 'session')
    },
    requireTurn(owner, sessionId, step) {
      if (transition(sessions.status(owner, sessionId), step).kind === 'move') require(owner, 'turn')
    },
  }
}

/** Counts every session and turn from the sessions' one feed. Returns its undo. */
export function countUsage(sessions: Pick<SessionManager, 'subscribe'>, usage: Usage): () => void {
  const live = new Set<string>()
  return sessions.subscribe((change) => {
    const { owner, sessionId } = change
    if (change.kind === 'turn_started') usage.turnStarted(owner)
    else if (change.kind === 'turn_ended') usage.turnEnded(owner, change)
    else if (change.kind === 'status' && change.status === 'pending_approval') {
      live.add(sessionId)
      usage.sessionOpened(owner)
    } else if (change.kind === 'status' && !isLive(change.status) && live.delete(sessionId)) usage.sessionEnded(owner)
  })
}
