/** Every text of the elements, in English: the list that the other languages are checked against. */
export const ENGLISH = {
  connect: 'Connect your AI',
  looking: 'Looking for your AI',
  waiting: 'Waiting for your answer',
  notRunning: 'Leuria isn’t running',
  tryAgain: 'Try again',
  close: 'Close',

  /** Below the button. */
  asksFirst: 'Leuria asks you first',
  throughLeuria: 'Connected through Leuria',

  waitingTitle: 'Look for the question in Leuria',
  waitingText: 'It asks whether this site may use your AI. Choose Allow there, then come back.',
  cancel: 'Cancel',

  startTitle: 'Start Leuria to go on',
  startText: 'Leuria is a small program on your computer that connects your AI to the sites you allow.',
  haveText: 'If you have it, open it. This page goes on by itself.',
  newText: 'If not, one line in a terminal starts it, with Node.js on this computer:',
  getLeuria: 'How to get Leuria',
  copy: 'Copy',
  copied: 'Copied',

  declinedTitle: 'Not connected',
  declinedText: 'You said no in Leuria. Nothing was shared with this site.',
  recentText: 'You just said no, so Leuria waits a little. Try again in {seconds} seconds.',
  expiredText: 'The question waited for you in Leuria and was put away. Nothing was shared.',
  failedText: 'That didn’t work. Nothing was shared with this site.',

  yourAI: 'Your AI',
  manage: 'Manage in Leuria',
  disconnect: 'Disconnect',

  otherAI: 'Use another AI',
  browserAI: 'this browser’s AI',
  browserNote: 'Stays on this device',
  siteAI: 'this site’s AI',
  siteNote: 'Your questions go to this site',
  downloadNote: 'Is downloaded first',
  answering: '{name} answers here',
  gettingReady: '{name} is getting ready: {percent}',

  phoneTitle: 'Open this page on a computer',
  phoneText: 'Leuria connects your AI to sites. It runs on computers, not on phones and tablets.',
  share: 'Send yourself the link',

  noAI: 'No AI connected',
  badge: 'Works with your own AI',
} as const satisfies Record<string, string>

export type TextKey = keyof typeof ENGLISH

/** One language, whole. */
export type Texts = Readonly<Record<TextKey, string>>
