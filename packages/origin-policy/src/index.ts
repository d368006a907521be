/** Public names of `@leuria/origin-policy`. */
export { decideRequest } from './decide-request.js'
export type { GateDecision } from './decide-request.js'
export { mayCall } from './access.js'
export type { Access, Verdict } from './access.js'
export type { Caller } from './caller.js'
export type { ResponseHeaders } from './cors.js'
export type { EngineFacts, EngineMode, RequestFacts, SiteFacts } from './request-facts.js'
