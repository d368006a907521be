/** How an agent is told where the page's tools are: an MCP server over HTTP, or a program that bridges to it over stdio. */
import type { OpenOptions } from '@leuria/agent'
import { MCP_SERVER_NAME } from '@leuria/protocol'

/** What bridges stdio to the engine's MCP endpoint: `leuria mcp-stdio`. The endpoint's URL is added as last argument. */
export interface BridgeCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Absolute paths that a box must show for it to run, besides `command`. @default the first of `args` */
  readonly readable?: readonly string[]
}

export type ToolWay = 'http' | 'stdio'

/** The ways to try, best first. Some agents take HTTP without saying so, some refuse stdio although they must take it. */
export function toolWays(agent: { httpTools: boolean }, bridge: BridgeCommand | undefined): readonly ToolWay[] {
  if (bridge === undefined) return ['http']
  return agent.httpTools ? ['http', 'stdio'] : ['stdio', 'http']
}

export function toolServer(
  way: ToolWay,
  { url, token }: OpenOptions['mcp'],
  bridge: BridgeCommand | undefined,
): object {
  if (way === 'http' || bridge === undefined) {
    return { type: 'http', name: MCP_SERVER_NAME, url, headers: [{ name: 'Authorization', value: `Bearer ${token}` }] }
  }
  return {
    name: MCP_SERVER_NAME,
    command: bridge.command,
    args: [...bridge.args, url],
    // In the environment, not in the arguments: those are everybody's to read.
    env: [{ name: 'LEURIA_MCP_TOKEN', value: token }],
  }
}
