/** Why an answer failed, in words for the visitor: from the SDK's error and how the shop is connected now. Pure. */
import type { LeuriaError } from '@leuria/client'
import type { ConnectionFacts } from '../connection/connection-words.js'

export interface EndingFacts {
  error: Pick<LeuriaError, 'code' | 'status' | 'message'>
  facts: Pick<ConnectionFacts, 'isWithdrawn' | 'state'>
}

/** Four live sessions of one site: the fifth is refused with a plain 400. */
const BAD_REQUEST = 400

export function endingWords({ error, facts }: EndingFacts): string {
  if (facts.isWithdrawn) return 'You disconnected this shop, so the answer ended here.'
  if (facts.state.status === 'not-running') return 'Leuria stopped running, so the answer ended here.'
  if (error.status === BAD_REQUEST) {
    return 'Your AI could not be started. Perhaps this shop is open in too many tabs.'
  }
  switch (error.code) {
    case 'ended':
      return 'Leuria ended this conversation. Perhaps you chose another AI there.'
    case 'session_failed':
    case 'ai_failed':
      return 'Your AI stopped because of an error.'
    default:
      // The SDK's messages are plain words for visitors.
      return error.message
  }
}
