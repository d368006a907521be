/** What an agent without HTTP starts to reach the page's tools: this program again, as `leuria mcp-stdio`. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'

/** Links followed: npm's `.bin/leuria` is one, and a box shows what is beside the real file. */
function ownFile(): string {
  const started = process.argv[1] ?? ''
  try {
    return realpathSync(started)
  } catch {
    return started
  }
}

const FILE = ownFile()

/** The program is several files in one folder. */
export const BRIDGE_COMMAND = {
  command: process.execPath,
  args: [FILE, 'mcp-stdio'],
  readable: [dirname(FILE)],
} as const
