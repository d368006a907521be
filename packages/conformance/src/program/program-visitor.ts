/** The visitor of a check from the command line: a person who is asked, commands that are run, or the approval page itself. */
import { exec } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pairingEvent } from '@leuria/protocol'
import * as z from 'zod/mini'
import { AskedQuestions } from '../engine-check/asked-questions.js'
import type { Question, Visitor } from '../engine-check/visitor.js'
import type { Flags } from './options.js'

/** How long a command may take. */
const COMMAND_LIMIT_MS = 60_000

function run(command: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    exec(command, { env: { ...process.env, ...env }, timeout: COMMAND_LIMIT_MS }, (error, _, stderr) => {
      if (error === null) resolve()
      else reject(new Error(`the command failed: ${command}: ${stderr.trim() === '' ? error.message : stderr.trim()}`))
    })
  })
}

/** Takes what an engine prints for other programs, line by line; other lines are left. */
function readQuestions(lines: NodeJS.ReadableStream): AskedQuestions {
  const asked = new AskedQuestions()
  createInterface({ input: lines }).on('line', (line) => {
    try {
      const event = z.safeParse(pairingEvent, JSON.parse(line))
      if (event.success) asked.add(event.data)
    } catch {
      // A line for people.
    }
  })
  return asked
}

export interface ProgramVisitorOptions {
  flags: Flags
  stdin: NodeJS.ReadableStream
  /** Speaks to the person at the terminal. */
  tell: (line: string) => void
}

function answerWith({ flags, stdin, tell }: ProgramVisitorOptions): Pick<Visitor, 'answer' | 'approvalUrl'> {
  const command = flags['approve-command']
  if (flags['answer-from-stdin']) return readQuestions(stdin)
  if (command === undefined) {
    return {
      async answer({ origin, allow }) {
        tell(`→ Leuria asks about ${origin}. Please answer: ${allow ? 'Allow' : 'Not now'}.`)
      },
    }
  }
  return {
    answer: ({ origin, allow }: Question) =>
      run(command, { LEURIA_ORIGIN: origin, LEURIA_ALLOW: allow ? 'yes' : 'no' }),
  }
}

export function programVisitor(options: ProgramVisitorOptions): Visitor {
  const { flags, tell } = options
  const { 'open-command': open, 'revoke-command': revoke } = flags
  const { answer, approvalUrl } = answerWith(options)
  return {
    answer,
    ...(approvalUrl === undefined ? {} : { approvalUrl }),
    async openLink(link) {
      if (open === undefined) tell(`→ Please open this link: ${link}`)
      else await run(open, { LEURIA_LINK: link })
    },
    ...(revoke === undefined ? {} : { revoke: (origin: string) => run(revoke, { LEURIA_ORIGIN: origin }) }),
  }
}
