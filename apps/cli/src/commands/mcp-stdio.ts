/** `leuria mcp-stdio <url>`: what an agent without HTTP starts to reach the page's tools. Not for people: it isn't in the help. */
import { runStdioBridge } from '@leuria/webmcp-relay/stdio'
import { UserError } from '../fail.js'

/** Only this computer: the token opens a page's tools and must not travel. @throws UserError */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHere = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (url === null || !isHere)
    throw new UserError(`"${text}" is not the engine's address, http://127.0.0.1:<port>/webmcp/mcp.`)
  return url.href
}

/** Runs until standard input ends. Standard output carries answers and nothing else. @throws UserError */
export async function bridgeStdio(url: string): Promise<void> {
  const token = process.env.LEURIA_MCP_TOKEN
  if (token === undefined || token === '')
    throw new UserError('LEURIA_MCP_TOKEN is not set. It holds the token that the engine gives the agent.')
  await runStdioBridge({ url: readUrl(url), token, input: process.stdin, output: process.stdout })
}
