/** `leuria-sidecar mcp-stdio <url>`: what an agent without HTTP starts to reach the page's tools. The sidecar's own file again. */
import { realpathSync } from 'node:fs'
import { runStdioBridge } from '@leuria/webmcp-relay/stdio'

const FILE = realpathSync(process.argv[1] ?? process.execPath)

/** The file is complete in itself, so it is all that an agent's box has to show. */
export const BRIDGE_COMMAND = { command: process.execPath, args: [FILE, 'mcp-stdio'], readable: [FILE] } as const

/** Runs until standard input ends. Standard output carries answers and nothing else. @throws with words for the agent's log */
export async function bridgeStdio(address: string | undefined): Promise<void> {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null
  // Only this computer: the token opens a page's tools and must not travel.
  if (url?.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(url.hostname))
    throw new Error("mcp-stdio takes the engine's address, http://127.0.0.1:<port>/webmcp/mcp.")
  const token = process.env.LEURIA_MCP_TOKEN ?? ''
  if (token === '') throw new Error('LEURIA_MCP_TOKEN is not set. It holds the token that the engine gives the agent.')
  await runStdioBridge({ url: url.href, token, input: process.stdin, output: process.stdout })
}
