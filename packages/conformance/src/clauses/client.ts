/** Clauses of Conformance: what a client must, and what it should do. Each is one sentence of the page. */
import type { ClauseTable } from './clause.js'

export const CLIENT_MUST = {
  'client.address': { says: "Talks to loopback on the engine's port, from a page with an http(s) origin." },
  'client.token': {
    says: 'Keeps the token per origin and engine, and sends it as Bearer on every request after pairing.',
  },
  'client.forget': { says: 'Forgets the token at 401 not_paired and at paired: false, then offers to connect again.' },
  'client.click': { says: 'Opens the connect link inside the click, before any await, with a fresh nonce each time.' },
  'client.claim': { says: 'Claims again after pending and after unreadable answers, until there is an answer.' },
  'client.quiet': { says: 'Sends no request while the site has no token.' },
  'client.stream-first': { says: 'Opens the event stream before approve.' },
  'client.tools-first': { says: 'Registers its tools before the AI can need them.' },
  'client.answers': { says: 'Answers every callTool with the same id, unknown tools with an error.' },
  'client.pong': { says: "Answers the engine's ping with pong." },
  'client.end': { says: 'Treats completed, cancelled and failed as the end of the session.' },
} as const satisfies ClauseTable

export const CLIENT_SHOULD = {
  'client.health': { says: 'Checks /health with a short timeout, and takes no answer for "not running".' },
  'client.not-running': {
    says: 'Tells the visitor after about 10 s without a readable answer, and offers to try again.',
  },
  'client.stream-again': { says: 'Reopens a dropped stream with backoff, and skips the replayed chunks it has.' },
  'client.channel-again': { says: 'Reopens a dropped channel with the same token, and declares its tools again.' },
  'client.close': { says: 'Closes sessions it no longer needs, with keepalive when the page is left.' },
  'client.words': { says: 'Shows visitors plain words, never error strings, event names or versions.' },
} as const satisfies ClauseTable
