/** Public names of `@leuria/engine`. */
export { createEngine } from './engine.js'
export type { Engine } from './engine.js'
export type { EngineOptions } from './engine-options.js'
export { ListenError } from './http/listen.js'
export type { AgentChoice, AgentSource } from './agents/agent-source.js'
export type { Log } from './log.js'
export { ENGINE_VERSION } from './version.js'
