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
  onComputers: 'Works on a computer',

  waitingTitle: 'Look for the question in Leuria',
  waitingText: 'Leuria asks whether this site may use your AI. Choose Allow there, then come back.',
  cancel: 'Cancel',

  startTitle: 'Start Leuria to go on',
  startText:
    'Leuria is a small program on your computer. It connects your AI to the sites that you allow, and to no others.',
  haveTitle: 'You have Leuria',
  haveText: 'Open it. This page goes on by itself.',
  newTitle: 'You don’t have it yet',
  newText: 'With Node.js on this computer, one line in a terminal starts it:',
  getLeuria: 'How to get Leuria',
  copy: 'Copy',
  copied: 'Copied',

  declinedTitle: 'Not connected',
  declinedText: 'You said no in Leuria. Nothing was shared with this site.',
  recentTitle: 'You just said no',
  recentText: 'Leuria waits a little before it asks you again. Try again in {seconds} seconds.',
  expiredTitle: 'The question timed out',
  expiredText: 'It waited for your answer in Leuria and was then put away. Nothing was shared.',
  failedTitle: 'That didn’t work',
  failedText: 'This site could not be connected. Nothing was shared.',

  yourAI: 'Your AI',
  answersHere: 'Answers here',
  manage: 'Manage in Leuria',
  disconnect: 'Disconnect',
  nowConnected: 'Connected. {name} answers here.',
  nowDisconnected: 'Disconnected.',

  otherAI: 'Use another AI',
  browserAI: 'this browser’s AI',
  browserNote: 'Stays on this device',
  siteAI: 'this site’s AI',
  siteNote: 'Your questions go to this site',
  cloudNote: 'Your questions go to your own account',
  downloadNote: 'Is downloaded first',
  answering: '{name} answers here',
  gettingReady: '{name} is getting ready: {percent}',

  phoneTitle: 'Open this page on a computer',
  phoneText: 'Your AI reaches sites through Leuria, and Leuria runs on computers, not on phones and tablets.',
  share: 'Send yourself the link',
  linkCopied: 'Link copied',

  noAI: 'No AI connected',
  lookingForAny: 'Looking for an AI',
  badge: 'Works with your own AI',
} as const satisfies Record<string, string>

export type TextKey = keyof typeof ENGLISH

/** One language, whole. */
export type Texts = Readonly<Record<TextKey, string>>
