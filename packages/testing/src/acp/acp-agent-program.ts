/**
 * The scripted ACP agent as a program, for tests that need a real process.
 * `node acp-agent-program.js <script.json>`: an `AcpScript`; it speaks ACP on its pipes.
 */
import { closeSync, readFileSync } from 'node:fs'
import type { AcpScript } from './acp-script.js'
import { ScriptedAcpAgent } from './scripted-acp-agent.js'

const script = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as AcpScript
if (script.clings === true) process.on('SIGTERM', () => undefined)
const stay = script.clings === true ? setInterval(() => undefined, 1_000) : null
process.stdout.on('error', () => undefined)
new ScriptedAcpAgent(script, {
  input: process.stdin,
  output: process.stdout,
  stderr: process.stderr,
  closeOutput() {
    // Node keeps `process.stdout` open whatever is called on it.
    process.stdout.write('', () => {
      closeSync(1)
    })
  },
  exit(code) {
    if (stay) clearInterval(stay)
    // What was written is on its way first, as in a program that returns from its main function.
    process.stdout.write('', () => process.exit(code))
  },
})
