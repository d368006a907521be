/** Clauses of Conventions: addresses, hosts, callers, authentication, silence, CORS, bodies. */
import type { ClauseTable } from './clause.js'

export const BASE_URL = {
  'base.loopback': { says: 'The engine answers on 127.0.0.1.' },
  'base.default-port': { says: 'Without another wish of the visitor the port is 19570.' },
  'base.no-other-address': { says: 'No other address of the computer reaches the engine.' },
} as const satisfies ClauseTable

export const HOST = {
  'host.own': { says: 'Host 127.0.0.1:<port> and localhost:<port> are accepted.' },
  'host.other': { says: 'Any other Host gets 403 with the error "host not allowed".' },
} as const satisfies ClauseTable

export const CALLERS = {
  'caller.page': { says: 'A page with an http(s) Origin may use the routes with its grant token.' },
  'caller.own-page.allowed': { says: "The engine's own page may use /health and /connect/*.", mode: 'page' },
  'caller.own-page.refused': { says: "Anything else of the engine's own page is 403." },
  'caller.admin': { says: 'The admin API is closed to whoever lacks the admin token.' },
  'caller.local': { says: 'A local program without Origin may use the routes without a token.' },
  'origin.scheme': { says: 'An Origin that is not http(s) gets 403 with the error "origin not allowed".' },
  'origin.normal-form': { says: 'Origins are compared by scheme, host and port in lower case.' },
  'origin.exact': { says: 'An origin that differs in scheme, host or port is another one.' },
} as const satisfies ClauseTable

export const AUTHENTICATION = {
  'auth.bearer': { says: 'A page proves its grant by Authorization: Bearer <token>.' },
  'auth.not-paired': { says: 'Without a valid token every route that needs one gets 401 with code not_paired.' },
} as const satisfies ClauseTable

export const SILENCE = {
  'silence.empty': { says: 'A page the engine does not know gets an empty 403 without CORS headers.', mode: 'app' },
  'silence.every-route': { says: 'Silence covers every route, /health and preflights included.', mode: 'app' },
  'silence.named': { says: 'An origin that a link named is answered until its answer is collected.', mode: 'app' },
  'silence.granted': { says: 'An origin with a grant is answered.', mode: 'app' },
  'silence.none': { says: 'The CLI engine answers every origin.', mode: 'page' },
} as const satisfies ClauseTable

export const CORS = {
  'cors.origin': { says: 'Answers to a page echo its origin in Access-Control-Allow-Origin, on errors too.' },
  'cors.vary': { says: 'Answers to a page carry Vary: Origin.' },
  'cors.private-network': { says: 'Answers to a page carry Access-Control-Allow-Private-Network: true.' },
  'cors.preflight.status': { says: 'A preflight gets 204.' },
  'cors.preflight.methods': { says: 'A preflight allows the methods GET, POST and OPTIONS.' },
  'cors.preflight.headers': { says: 'A preflight allows the headers Content-Type and Authorization.' },
  'cors.preflight.max-age': { says: 'A preflight may be kept for 600 seconds.' },
  'cors.preflight.private-network': { says: 'A preflight allows the private network.' },
} as const satisfies ClauseTable

export const BODIES = {
  'body.json': { says: 'Answers are JSON and say so.' },
  'body.empty': { says: 'An empty request body counts as {}.' },
  'body.limit': { says: 'A body of nearly 16 MB is taken.' },
  'body.over-limit': { says: 'A body over 16 MB is refused.' },
  'body.invalid': { says: 'Invalid JSON gets 400 with the error "Invalid JSON body".' },
} as const satisfies ClauseTable

export const ERRORS = {
  'error.shape': { says: 'Every error is an object with a text in error, and code only as a text.' },
  'error.400': { says: '400: a malformed request.' },
  'error.401': { says: '401 not_paired: no valid grant token.' },
  'error.403': { says: '403: a route this caller may not use.' },
  'error.404.route': { says: '404: an unknown route.' },
  'error.404.pairing': { says: '404: an unknown pairing request.', mode: 'page' },
  'error.404.session': { says: '404: an unknown session.' },
  'error.410': { says: '410: the pairing request expired before the visitor decided.' },
  'error.429.pending': { says: '429: more than 20 pairing requests are pending.' },
  'error.429.no': { says: '429: the visitor said no to this site less than 30 s ago.' },
  'error.500': { says: '500: an unexpected error of the engine.' },
} as const satisfies ClauseTable

export const HEALTH = {
  'health.leuria': { says: "leuria is the engine's version." },
  'health.ok': { says: 'ok is true whenever the engine answers.' },
  'health.agent': { says: 'agent is a plain name for the AI.' },
  'health.approvals': { says: 'approvals says where the visitor answers: page, or app.' },
  'health.local': { says: 'Local callers need no token.' },
  'health.paired.true': { says: "paired is true with the page's valid token." },
  'health.paired.false': { says: "paired is false without one, or with another origin's." },
  'health.paired.pages-only': { says: 'paired is for web pages only.' },
  'health.embed': { says: 'embed names the model that a connected page would get.' },
  'health.embed.absent': { says: 'embed is absent for pages that are not connected.' },
  'health.silent': { says: 'A page the app does not know gets no answer.', mode: 'app' },
} as const satisfies ClauseTable
