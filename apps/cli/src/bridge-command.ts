/** What an agent without HTTP starts to reach the page's tools: this program again, as `leuria mcp-stdio`. */
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BridgeCommand } from '@leuria/agent-acp'

/** Links followed: npm's `.bin/leuria` is one, and a box shows what is beside the real file. */
async function ownFile(): Promise<string> {
  const started = process.argv[1] ?? ''
  return realpath(started).catch(() => started)
}

/** The program is several files in one folder. */
export async function bridgeCommand(): Promise<BridgeCommand> {
  const file = await ownFile()
  return { command: process.execPath, args: [file, 'mcp-stdio'], readable: [dirname(file)] }
}
