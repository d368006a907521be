/** The program `leuria`: loads what its words ask for, and no more. */
import { failWith } from './fail.js'
import { readPlainStart } from './plain-start.js'

async function run(): Promise<void> {
  const flags = readPlainStart(process.argv.slice(2))
  if (flags === null) {
    const { runCommandLine } = await import('./command-line.js')
    await runCommandLine()
  } else {
    const { start } = await import('./commands/start.js')
    await start(flags)
  }
}

run().catch(failWith)
