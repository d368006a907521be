/** `@leuria/webmcp-relay/stdio`: the bridge for agents without HTTP. Apart, because it runs in a process of its own that should start fast. */
export { runStdioBridge } from './stdio/stdio-bridge.js'
export type { StdioBridgeOptions } from './stdio/stdio-bridge.js'
