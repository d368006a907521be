/** For this package's tests: what the small client can be told to do wrong, and the clause that each of these breaks. */
import type { ClientClauseId } from './clauses/all-clauses.js'
import type { Defect } from './fake-engine/defects.js'

export const CLIENT_DEFECTS = {
  foreign_address: { clause: 'client.address', does: 'also asks a server of its own' },
  bare_prompts: { clause: 'client.token', does: 'sends prompts without the token' },
  one_token_for_all: { clause: 'client.token', does: 'keeps one token for all engines' },
  token_in_memory: { clause: 'client.token', does: 'forgets the token when the page is loaded again' },
  keeps_refused_token: { clause: 'client.forget', does: 'keeps the token after 401 not_paired' },
  keeps_unpaired_token: { clause: 'client.forget', does: 'keeps the token after paired: false' },
  late_link: { clause: 'client.click', does: 'opens the link after an await' },
  same_nonce: { clause: 'client.click', does: 'uses one nonce for all attempts' },
  claims_once: { clause: 'client.claim', does: 'claims no more after pending' },
  claims_for_ever: { clause: 'client.claim', does: 'claims on after the answer' },
  eager_health: { clause: 'client.quiet', does: 'asks /health without a token' },
  approves_first: { clause: 'client.stream-first', does: 'approves before it opens the stream' },
  late_tools: { clause: 'client.tools-first', does: 'declares its tools after approve' },
  ignores_unknown: { clause: 'client.answers', does: 'does not answer calls of unknown tools' },
  wrong_id: { clause: 'client.answers', does: 'answers with an id of its own' },
  no_pong: { clause: 'client.pong', does: 'leaves pings unanswered' },
  reopens_ended: { clause: 'client.end', does: 'opens the stream of an ended session again' },
  patient_health: { clause: 'client.health', does: 'waits for /health as long as it takes' },
  never_tells: { clause: 'client.not-running', does: 'claims in silence' },
  doubles_replay: { clause: 'client.stream-again', does: 'takes replayed chunks for new ones' },
  no_backoff: { clause: 'client.stream-again', does: 'opens a dropped stream again at once' },
  bare_channel: { clause: 'client.channel-again', does: 'declares no tools on the new channel' },
  no_keepalive: { clause: 'client.close', does: 'closes sessions without keepalive' },
  raw_words: { clause: 'client.words', does: 'shows error strings' },
} as const satisfies Readonly<Record<string, Defect<ClientClauseId>>>

export type ClientDefect = keyof typeof CLIENT_DEFECTS
