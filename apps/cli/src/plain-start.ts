/**
 * Reads a plain `leuria start` by itself, because that is what most starts are, and the whole command line takes longer to
 * load than everything else that such a start needs. Whatever is not plain is left to it, and so is every complaint.
 */
import { parseArgs } from 'node:util'
import { parsePort } from './chosen-port.js'
import type { StartFlags } from './commands/start.js'

const OPTIONS = {
  port: { type: 'string', short: 'p' },
  agent: { type: 'string', short: 'a' },
  open: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  json: { type: 'boolean' },
  plain: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v' },
} as const

/** `null`: not a plain start. */
export function readPlainStart(words: readonly string[]): StartFlags | null {
  const [command, ...rest] = words
  if (command !== 'start') return null
  try {
    const { port, agent, open, 'no-open': shut, ...flags } = parseArgs({ args: rest, options: OPTIONS }).values
    const number = port === undefined ? undefined : parsePort(port)
    if (number === null || agent === '' || (open === true && shut === true)) return null
    return {
      ...flags,
      ...(number === undefined ? {} : { port: number }),
      ...(agent === undefined ? {} : { agent }),
      ...(open === undefined && shut === undefined ? {} : { open: open === true }),
    }
  } catch {
    return null
  }
}
