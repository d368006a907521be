/**
 * The life of one pairing question as a table: state × event → state, what the causer is told, what has to be done.
 * Pure. A nonce that isn't the latest never gets this far, except a fresh one that asks (`ask`); who may ask, and how
 * many questions there may be, is decided before.
 */

export const QUESTION_STATES = [
  /** There is no question. */
  'none',
  /** The visitor has been asked. */
  'open',
  /** They said yes; the grant is being written. */
  'granting',
  /** The grant is written; its token waits in memory for a claim. */
  'allowed',
  /** A claim has the token; whether its answer arrived isn't known yet. */
  'delivering',
  /** They said no; no claim has heard it yet, and the origin may not ask again for now. */
  'denied',
  /** They said no; no claim has heard it yet, the origin may ask again. */
  'cooled',
  /** They said no and a claim heard it; the origin may not ask again for now. */
  'cooling',
  /** The time was over before an answer, or before anyone collected the token. */
  'expired',
  /** Nothing is left to collect. */
  'closed',
] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

export const QUESTION_EVENTS = [
  /** A link, or a claim where claims ask, with a nonce never seen before. */
  'ask',
  /** The same with the latest nonce again. */
  'repeat',
  /** A claim with the latest nonce. */
  'claim',
  /** The visitor's answer. */
  'allow',
  'deny',
  /** What became of writing the grant. */
  'issued',
  'issue_failed',
  /** What became of the answer that carried the token. */
  'delivered',
  'lost',
  /** Five minutes after the question was asked. */
  'expire',
  /** Thirty seconds after a No. */
  'cool',
  /** Some time after nothing was left to do. */
  'forget',
  /** The visitor took the grant back. */
  'revoke',
] as const
export type QuestionEvent = (typeof QUESTION_EVENTS)[number]

/** What whoever caused the event is told. `ignored`: the event means nothing in this state. */
export type Reply = 'done' | 'wait' | 'token' | 'denied' | 'not_found' | 'expired' | 'cooldown' | 'ignored'

export type Effect =
  /** Make a question of it: an id, a key, five minutes. The visitor is asked. */
  | 'begin'
  /** The nonce becomes the latest; claims that wait with an older one get 404 at once. */
  | 'renew'
  /** Tell the visitor again. */
  | 'remind'
  /** Write the grant; `issued` or `issue_failed` follows. */
  | 'issue'
  /** The first waiting claim, if there is one, claims again. */
  | 'serve_next'
  /** Waiting claims hear the No; if there are any, it has been collected. */
  | 'answer_denied'
  /** Waiting claims get 410. */
  | 'answer_expired'
  /** Waiting claims get 404. */
  | 'answer_gone'
  /** The answer that carried the token never arrived: the grant counts as uncollected again. */
  | 'take_back'
  /** The grant is the site's for good; the nonce is used up. */
  | 'keep_grant'
  /** Nobody collected the token: its grant goes. */
  | 'discard_grant'
  /** The token is worthless; the nonce is used up. */
  | 'drop_token'
  | 'announce_allowed'
  | 'announce_denied'
  | 'announce_expired'

export interface Transition {
  readonly to: QuestionState
  readonly reply: Reply
  readonly effects: readonly Effect[]
}

function to(state: QuestionState, reply: Reply, ...effects: Effect[]): Transition {
  return { to: state, reply, effects }
}

/** Every event that means nothing in a state, so that the rows below show only what happens. */
function staying(state: QuestionState): Record<QuestionEvent, Transition> {
  const ignored = to(state, 'ignored')
  return {
    ask: ignored,
    repeat: ignored,
    claim: to(state, 'not_found'),
    allow: to(state, 'expired'),
    deny: to(state, 'expired'),
    issued: ignored,
    issue_failed: ignored,
    delivered: ignored,
    lost: ignored,
    expire: ignored,
    cool: ignored,
    forget: ignored,
    revoke: ignored,
  }
}

const BEGIN = to('open', 'done', 'begin')

export const TRANSITIONS: Record<QuestionState, Record<QuestionEvent, Transition>> = {
  none: { ...staying('none'), ask: BEGIN, repeat: BEGIN },
  open: {
    ...staying('open'),
    ask: to('open', 'done', 'renew', 'remind'),
    repeat: to('open', 'done', 'remind'),
    claim: to('open', 'wait'),
    allow: to('granting', 'done', 'issue'),
    deny: to('denied', 'done', 'answer_denied', 'announce_denied'),
    expire: to('expired', 'done', 'answer_expired', 'announce_expired'),
  },
  // The visitor answered in time: the question can't expire while the grant is being written.
  granting: {
    ...staying('granting'),
    ask: to('granting', 'done', 'renew'),
    repeat: to('granting', 'done'),
    claim: to('granting', 'wait'),
    issued: to('allowed', 'done', 'serve_next', 'announce_allowed'),
    issue_failed: to('open', 'done'),
  },
  allowed: {
    ...staying('allowed'),
    ask: to('allowed', 'done', 'renew'),
    repeat: to('allowed', 'done'),
    claim: to('delivering', 'token'),
    expire: to('expired', 'done', 'discard_grant'),
    revoke: to('closed', 'done', 'drop_token'),
  },
  // The answer may have arrived: the grant can't be discarded, nor the token given to another, until that is known.
  delivering: {
    ...staying('delivering'),
    ask: to('delivering', 'done', 'renew'),
    repeat: to('delivering', 'done'),
    claim: to('delivering', 'wait'),
    delivered: to('closed', 'done', 'keep_grant', 'answer_gone'),
    lost: to('allowed', 'done', 'take_back', 'serve_next'),
    revoke: to('closed', 'done', 'drop_token', 'answer_gone'),
  },
  denied: {
    ...staying('denied'),
    ask: to('denied', 'cooldown'),
    repeat: to('denied', 'cooldown'),
    claim: to('cooling', 'denied'),
    expire: to('cooling', 'done'),
    cool: to('cooled', 'done'),
  },
  cooled: {
    ...staying('cooled'),
    ask: BEGIN,
    repeat: BEGIN,
    claim: to('closed', 'denied'),
    expire: to('closed', 'done'),
  },
  cooling: {
    ...staying('cooling'),
    ask: to('cooling', 'cooldown'),
    repeat: to('cooling', 'cooldown'),
    claim: to('cooling', 'cooldown'),
    cool: to('closed', 'done'),
  },
  expired: {
    ...staying('expired'),
    ask: BEGIN,
    repeat: BEGIN,
    claim: to('expired', 'expired'),
    forget: to('none', 'done'),
  },
  closed: { ...staying('closed'), ask: BEGIN, repeat: BEGIN, forget: to('none', 'done') },
}

/** While true, the origin is named: the app's engine answers it (Silence: "the answer hasn't been collected yet"). */
export const IS_NAMED: Record<QuestionState, boolean> = {
  none: false,
  open: true,
  granting: true,
  allowed: true,
  delivering: true,
  denied: true,
  cooled: true,
  cooling: false,
  expired: false,
  closed: false,
}
