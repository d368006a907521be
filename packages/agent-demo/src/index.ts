/** Public names of `@leuria/agent-demo`. */
export { createDemoAgent } from './demo-agent.js'
export { DEMO_AGENT_NAME } from './demo-name.js'
export type { DemoAgentOptions } from './demo-agent.js'
