/** Every clause of the protocol page, section by section. */
import { type Clause, type ClauseTable, clausesOf } from './clause.js'
import { CLIENT_MUST, CLIENT_SHOULD } from './client.js'
import { AUTHENTICATION, BASE_URL, BODIES, CALLERS, CORS, ERRORS, HEALTH, HOST, SILENCE } from './conventions.js'
import { EMBEDDINGS, SECURITY } from './embeddings.js'
import { PAGE_TOOLS } from './page-tools.js'
import { PAIRING } from './pairing.js'
import { SESSIONS } from './sessions.js'
import { STREAM } from './stream.js'

const ENGINE_SECTIONS: readonly (readonly [string, ClauseTable])[] = [
  ['Conventions, Base URL', BASE_URL],
  ['Conventions, Host', HOST],
  ['Conventions, Callers', CALLERS],
  ['Conventions, Authentication', AUTHENTICATION],
  ['Conventions, Silence', SILENCE],
  ['Conventions, CORS', CORS],
  ['Conventions, Bodies', BODIES],
  ['Conventions, Errors', ERRORS],
  ['Health', HEALTH],
  ['Pairing', PAIRING],
  ['Sessions', SESSIONS],
  ['Stream events', STREAM],
  ['Page tools', PAGE_TOOLS],
  ['Embeddings', EMBEDDINGS],
  ['Security considerations', SECURITY],
]

export type EngineClauseId =
  | keyof typeof BASE_URL
  | keyof typeof HOST
  | keyof typeof CALLERS
  | keyof typeof AUTHENTICATION
  | keyof typeof SILENCE
  | keyof typeof CORS
  | keyof typeof BODIES
  | keyof typeof ERRORS
  | keyof typeof HEALTH
  | keyof typeof PAIRING
  | keyof typeof SESSIONS
  | keyof typeof STREAM
  | keyof typeof PAGE_TOOLS
  | keyof typeof EMBEDDINGS
  | keyof typeof SECURITY

export type ClientClauseId = keyof typeof CLIENT_MUST | keyof typeof CLIENT_SHOULD
export type ClauseId = EngineClauseId | ClientClauseId

/** All of them, in the page's order. */
export const CLAUSES: readonly Clause[] = [
  ...ENGINE_SECTIONS.flatMap(([section, table]) => clausesOf(table, { section, side: 'engine', level: 'must' })),
  ...clausesOf(CLIENT_MUST, { section: 'Conformance, must', side: 'client', level: 'must' }),
  ...clausesOf(CLIENT_SHOULD, { section: 'Conformance, should', side: 'client', level: 'should' }),
]
