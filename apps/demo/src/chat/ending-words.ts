/** Why a conversation ended by itself, in words for the visitor: from how it ended and how the shop is connected now. Pure. */
import type { ConnectionFacts } from '../connection/connection-words.js'
import type { SessionEnd } from './conversation.js'

export interface EndingFacts {
  how: SessionEnd
  /** What starting or asking failed with. */
  error?: unknown
  facts: Pick<ConnectionFacts, 'isWithdrawn' | 'state'>
}

const WORDS: Readonly<Record<SessionEnd, string>> = {
  closed: 'Leuria ended this conversation. Perhaps you chose another AI there.',
  failed: 'Your AI stopped because of an error.',
  not_started: 'Your AI could not be started.',
}

/** Four live sessions of one site: the fifth is refused with a plain 400. */
const BAD_REQUEST = 400

export function endingWords({ how, error, facts }: EndingFacts): string {
  if (facts.isWithdrawn) return 'You disconnected this shop, so the answer ended here.'
  if (facts.state.status === 'not-running') return 'Leuria stopped running, so the answer ended here.'
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  if (how === 'not_started' && status === BAD_REQUEST) {
    return 'Your AI could not be started. Perhaps this shop is open in too many tabs.'
  }
  return WORDS[how]
}
