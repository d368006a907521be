/** What a screen reader says when the connection moves; nothing is said about how it was when the page opened. */
import type { ConnectionStatus, LeuriaError } from '@leuria/client'
import type { Words } from '../texts/text-choice.js'
import { refusalOf } from './button-view.js'

export interface Move {
  readonly before: ConnectionStatus
  readonly now: ConnectionStatus
  readonly words: Words
  readonly name: string
  readonly error: LeuriaError | null
}

const SAY: Readonly<Record<ConnectionStatus, (move: Move) => string>> = {
  checking: () => '',
  'not-connected': ({ before, words }) => (before === 'connected' ? words('declinedTitle') : ''),
  connecting: ({ words }) => words('waitingTitle'),
  'not-running': ({ words }) => words('notRunning'),
  declined: ({ words, error }) => {
    const { text, seconds } = refusalOf(error)
    return `${words('declinedTitle')}. ${words(text, { seconds })}`
  },
  connected: ({ words, name }) => words('answering', { name }),
}

export function announcement(move: Move): string {
  return SAY[move.now](move)
}
