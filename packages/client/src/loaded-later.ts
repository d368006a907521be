/**
 * What a page loads when there is something to talk to: an engine that may be asked, a message to be answered. A page whose
 * visitor hasn't connected anything shows its button without it.
 */
export { TurnCalls } from './conversation/turn-calls.js'
export { attempt } from './engine/attempt.js'
export { createHttp } from './engine/engine-http.js'
export { detect } from './engine/detect.js'
export { embed } from './engine/embed.js'
export { startSession } from './engine/start-session.js'
export { readFile } from './message/read-file.js'
export { BridgeTalk } from './provider/bridge-talk.js'
export { openBrowserSession } from './provider/browser-ai-session.js'
export { openServerSession } from './provider/server-session.js'
export { createShape } from './structured/shape.js'
