/** The program `leuria`: a plain start right away, or loads what its words ask for, and no more. */
import { start } from './commands/start.js'
import { failWith } from './fail.js'
import { readPlainStart } from './plain-start.js'

async function run(): Promise<void> {
  const flags = readPlainStart(process.argv.slice(2))
  if (flags === null) {
    const { runCommandLine } = await import('./command-line.js')
    await runCommandLine()
  } else {
    await start(flags)
  }
}

run().catch(failWith)
