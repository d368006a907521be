/** Every state of the connection in plain words, with what the visitor can do about it. Pure: a table. */
import type { ConnectionStatus, LeuriaConnectionState } from '@leuria/client'

/** What a button does. `connect` opens a link: it must run in the click itself. */
export type ConnectionAction = 'connect' | 'cancel' | 'check_again' | 'disconnect'

export interface ConnectionWords {
  readonly title: string
  /** One or two sentences. */
  readonly text: string
  readonly action?: { readonly label: string; readonly does: ConnectionAction }
  /** What is good to know before saying yes. */
  readonly points?: readonly string[]
  /** A command to type in a terminal. */
  readonly command?: string
  /** For the pill in the page's head. */
  readonly short: string
  readonly tone: 'calm' | 'busy' | 'good' | 'attention'
}

/** What the page knows beside the SDK's snapshot. */
export interface ConnectionFacts {
  readonly state: Pick<LeuriaConnectionState, 'status' | 'model' | 'error'>
  /** The visitor took the access back somewhere else, while this page was connected. */
  readonly isWithdrawn: boolean
  /** This site has a token: it was connected before. */
  readonly wasConnected: boolean
}

type Writer = (facts: ConnectionFacts) => ConnectionWords

/** The start command of a machine that has Leuria, and of a copy of its source. */
const START_COMMAND = 'leuria start'

const WORDS: Readonly<Record<ConnectionStatus, Writer>> = {
  checking: () => ({
    title: 'Looking for your AI',
    text: 'This shop was connected before. One moment.',
    short: 'Looking for your AI',
    tone: 'busy',
  }),
  'not-connected': (facts) => notConnected(facts),
  connecting: () => ({
    title: 'Waiting for your answer',
    text: 'Leuria asks you in another tab whether this shop may use your AI. Choose Allow there and come back. No tab? Its address is in the terminal where Leuria runs.',
    action: { label: 'Cancel', does: 'cancel' },
    short: 'Waiting for your answer',
    tone: 'busy',
  }),
  declined: (facts) => refused(facts),
  'not-running': (facts) => notRunning(facts),
  connected: ({ state }) => ({
    title: state.model ?? 'Your AI',
    text: 'Connected. It sees what this shop offers it and nothing else.',
    action: { label: 'Disconnect', does: 'disconnect' },
    short: state.model ?? 'Connected',
    tone: 'good',
  }),
}

/** Connecting can't even begin there. */
const isPhone = ({ state }: ConnectionFacts): boolean => state.error?.code === 'unsupported_device'

export function connectionWords(facts: ConnectionFacts): ConnectionWords {
  return isPhone(facts) ? onPhone() : WORDS[facts.state.status](facts)
}

function notConnected({ isWithdrawn }: ConnectionFacts): ConnectionWords {
  return isWithdrawn ? withdrawn() : invitation()
}

/** Why a click came to nothing. Only the visitor's own no may be told as one. */
function refused({ state }: ConnectionFacts): ConnectionWords {
  switch (state.error?.code) {
    case 'declined':
    case 'declined_recently':
      return saidNo(state)
    case 'expired':
      return expired()
    default:
      return {
        ...invitation(),
        title: 'That didn’t work',
        text: 'Nothing was shared with this shop. Please try again.',
      }
  }
}

function saidNo(state: ConnectionFacts['state']): ConnectionWords {
  return {
    title: 'You said no',
    text: `This shop stays unconnected and sends nothing. If you change your mind, it may ask again ${waitWords(state)}.`,
    action: { label: 'Ask me again', does: 'connect' },
    short: 'Not connected',
    tone: 'calm',
  }
}

function invitation(): ConnectionWords {
  return {
    title: 'Ask with your own AI',
    text: 'This shop has no AI of its own. With Leuria, a small program on your computer, the AI that you already use can search the shelves here and fill your cart.',
    points: [
      'Leuria asks you first. Only your click there connects this shop.',
      'Your AI sees what this shop offers it, nothing else on your computer.',
      'It can ask you to order; only you can place one.',
      'Disconnect whenever you like, here or in Leuria.',
    ],
    action: { label: 'Connect your AI', does: 'connect' },
    short: 'Not connected',
    tone: 'calm',
  }
}

function withdrawn(): ConnectionWords {
  return {
    title: 'You disconnected this shop',
    text: 'You took its access back in Leuria, so the conversation has ended and nothing more is sent. You can connect again whenever you like.',
    action: { label: 'Connect again', does: 'connect' },
    short: 'Disconnected',
    tone: 'attention',
  }
}

function expired(): ConnectionWords {
  return {
    title: 'The question timed out',
    text: 'Leuria waited five minutes for your answer and then put the question away.',
    action: { label: 'Ask me again', does: 'connect' },
    short: 'Not connected',
    tone: 'attention',
  }
}

function notRunning({ wasConnected }: ConnectionFacts): ConnectionWords {
  return {
    title: 'Leuria isn’t running',
    text: wasConnected
      ? 'Your connection is kept. Start Leuria on this computer and this page goes on by itself.'
      : 'Nothing answers on this computer. Start Leuria, then try again.',
    command: START_COMMAND,
    action: { label: 'Try again', does: wasConnected ? 'check_again' : 'connect' },
    short: 'Leuria isn’t running',
    tone: 'attention',
  }
}

function onPhone(): ConnectionWords {
  return {
    title: 'Only on computers',
    text: 'Leuria runs on a computer, not on phones and tablets. Everything else in this shop works here.',
    short: 'Only on computers',
    tone: 'calm',
  }
}

function waitWords({ error }: ConnectionFacts['state']): string {
  return error?.retryAfterS === undefined ? 'after half a minute' : `in ${error.retryAfterS} seconds`
}
