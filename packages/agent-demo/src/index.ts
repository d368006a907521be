/** Public names of `@leuria/agent-demo`. */
export { createDemoAgent, DEMO_AGENT_NAME } from './demo-agent.js'
export type { DemoAgentOptions } from './demo-agent.js'
