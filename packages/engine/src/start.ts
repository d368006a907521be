/** Public names of `@leuria/engine/start`: what a program needs that starts an engine, without whatever the engine loads later. */
export { createEngine } from './engine.js'
export type { Engine } from './engine.js'
export { ListenError } from './http/listen.js'
export { ENGINE_VERSION } from './version.js'
export { whoHoldsPort } from './who-holds-port.js'
