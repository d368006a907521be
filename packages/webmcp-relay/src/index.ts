/** Public names of `@leuria/webmcp-relay`: page channels, and the agents' MCP endpoint. */
export { createRelay } from './relay.js'
export type { Relay, RelayOptions } from './relay.js'
export type { ChannelRequest, RelayChannel } from './relay-channel.js'
export type { Owner } from './relay-context.js'
export { RELAY_LIMITS } from './relay-limits.js'
export type { RelayLimits } from './relay-limits.js'
