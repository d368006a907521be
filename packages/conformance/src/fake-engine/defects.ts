/** What the kit's own engine can be told to do wrong, and the clause that each of these breaks: how the kit is tested. */
import type { EngineClauseId } from '../clauses/all-clauses.js'

export interface Defect<Id extends string> {
  readonly clause: Id
  /** What it does, for people. */
  readonly does: string
  /** Seen only in this mode. @default page */
  readonly mode?: 'app'
}

export const ENGINE_DEFECTS = {
  host_unchecked: { clause: 'host.other', does: 'takes any Host' },
  scheme_unchecked: { clause: 'origin.scheme', does: 'takes Origin: null for a page' },
  no_vary: { clause: 'cors.vary', does: 'leaves Vary out' },
  bare_errors: { clause: 'cors.origin', does: 'sends errors without CORS headers' },
  no_private_network: {
    clause: 'cors.preflight.private-network',
    does: 'leaves the private network out of preflights',
  },
  wrong_token_403: { clause: 'auth.not-paired', does: 'answers 403 to a wrong token' },
  invalid_json_500: { clause: 'body.invalid', does: 'answers 500 to invalid JSON' },
  token_for_everyone: { clause: 'security.token.elsewhere', does: "takes a site's token from any origin" },
  preflight_tells: { clause: 'silence.every-route', does: 'answers preflights of unknown pages', mode: 'app' },
  no_cooldown: { clause: 'pair.denied.cooldown', does: 'asks again right after a no' },
  nonce_unchecked: { clause: 'pair.nonce.latest', does: 'takes earlier nonces' },
  claim_for_everyone: { clause: 'pair.origin.own', does: 'gives the token to another origin with the nonce' },
  token_twice: { clause: 'pair.token.once', does: 'gives the token again' },
  old_token_stays: { clause: 'pair.again.replaces', does: 'keeps the old token valid' },
  site_decides: { clause: 'pair.page.decide', does: 'lets a site decide' },
  fifth_session: { clause: 'session.limit', does: 'has no limit of sessions' },
  foreign_session_403: { clause: 'session.own', does: 'tells strangers that a session exists' },
  prompt_while_running: { clause: 'session.prompt.running', does: 'takes a prompt while a turn runs' },
  no_chunk_replay: { clause: 'stream.chunk.replay', does: 'replays no chunks' },
  turn_text_wrong: { clause: 'stream.turn-completed.text', does: "leaves the first word out of the turn's text" },
  no_greeting_ready: { clause: 'stream.ready.again', does: 'greets no idle session with ready' },
  no_final_event: { clause: 'replay.ended', does: 'closes the stream of an ended session without a word' },
  no_ping: { clause: 'tools.ping.engine', does: 'sends no ping' },
  register_twice: { clause: 'tools.register.once', does: 'takes a registration token again' },
  ids_ignored: { clause: 'tools.call.same-id', does: 'gives answers to calls in their order' },
  text_as_json: { clause: 'tools.result.text', does: 'makes JSON of texts' },
  errors_as_results: { clause: 'tools.result.error', does: 'tells the AI errors as results' },
  pages_reach_mcp: { clause: 'mcp.pages', does: 'lets pages call /webmcp/mcp' },
  vectors_swapped: { clause: 'embed.order', does: 'gives vectors in the other order' },
  texts_unlimited: { clause: 'embed.count.257', does: 'takes any number of texts' },
} as const satisfies Readonly<Record<string, Defect<EngineClauseId>>>

export type EngineDefect = keyof typeof ENGINE_DEFECTS
