/** What the connect button shows and does in each state of the connection. Pure: a table. */
import type { ConnectionStatus, LeuriaError } from '@leuria/client'
import type { TextKey } from '../texts/english.js'

/** On phones and tablets there is nothing to connect to, whatever the connection says. */
export type ButtonState = ConnectionStatus | 'handheld'

/** `connect` and `retry` open a link: they must run in the click itself. */
export type Press = 'nothing' | 'connect' | 'retry' | 'panel' | 'menu' | 'start-dialog' | 'phone-dialog'

export interface ButtonView {
  readonly tone: 'main' | 'quiet' | 'busy' | 'attention' | 'good'
  /** `null`: the AI's name. */
  readonly label: TextKey | null
  readonly byline: TextKey
  readonly press: Press
}

export const BUTTON_VIEWS: Readonly<Record<ButtonState, ButtonView>> = {
  checking: { tone: 'busy', label: 'looking', byline: 'asksFirst', press: 'nothing' },
  'not-connected': { tone: 'main', label: 'connect', byline: 'asksFirst', press: 'connect' },
  connecting: { tone: 'busy', label: 'waiting', byline: 'waitingTitle', press: 'panel' },
  'not-running': { tone: 'attention', label: 'notRunning', byline: 'startTitle', press: 'start-dialog' },
  declined: { tone: 'quiet', label: 'connect', byline: 'declinedTitle', press: 'retry' },
  connected: { tone: 'good', label: null, byline: 'throughLeuria', press: 'menu' },
  handheld: { tone: 'main', label: 'connect', byline: 'phoneTitle', press: 'phone-dialog' },
}

export function buttonState(status: ConnectionStatus, onHandheld: boolean): ButtonState {
  return onHandheld && status !== 'connected' ? 'handheld' : status
}

/** Why an attempt ended without a connection, in words for the visitor. */
export interface Refusal {
  readonly text: TextKey
  readonly seconds: number
}

/** What the engine waits after a no when it doesn't say (the protocol's cool-down). */
const USUAL_WAIT_S = 30

const REFUSALS: Readonly<Record<string, TextKey>> = {
  declined: 'declinedText',
  declined_recently: 'recentText',
  expired: 'expiredText',
}

export function refusalOf(error: LeuriaError | null): Refusal {
  const code = error?.code ?? 'declined'
  return { text: REFUSALS[code] ?? 'failedText', seconds: error?.retryAfterS ?? USUAL_WAIT_S }
}
