#!/usr/bin/env node
/** The program: gives the process to `runProgram`. */
import { runProgram } from './program/run-program.js'

const code = await runProgram(process.argv.slice(2), {
  stdin: process.stdin,
  out: (text) => {
    console.log(text)
  },
  err: (text) => {
    console.error(text)
  },
})
// stdin may still be open: whoever writes to it doesn't know that the check is over.
process.stdout.write('', () => process.exit(code))
