/** What a page loads with its first session (or embedding): connecting, and looking where it stands, need none of it. */
export { embed } from './engine/embed.js'
export { startSession } from './engine/start-session.js'
export { BridgeTalk } from './provider/bridge-talk.js'
