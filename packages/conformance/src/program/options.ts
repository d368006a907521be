/** What `leuria-conformance` can be told, and how that is read. Pure. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { isClientClause } from '../client-check/check-client.js'
import type { ClientClauseId, EngineClauseId } from '../clauses/all-clauses.js'
import type { Mode } from '../clauses/clause.js'
import { ENGINE_CHECKS } from '../engine-check/checks/all-checks.js'

/** Told wrongly; the message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const USAGE = `leuria-conformance engine [url] [options]   checks a running engine (default http://127.0.0.1:19570)
leuria-conformance client [options] -- <command>   checks a client that the command runs
leuria-conformance clauses                  lists all clauses

Both:
  --json                      print the report as JSON
  --only <id,id>              only these clauses

engine:
  --mode page|app             page: answers every origin; app: silent to those it doesn't know (default: what it says)
  --answer-from-stdin         answer on the approval page by itself; stdin is what \`leuria start --json\` prints
  --approve-command <cmd>     answers a question: LEURIA_ORIGIN is the site, LEURIA_ALLOW is yes or no
  --open-command <cmd>        hands the link LEURIA_LINK to the app (app mode; default: asks you to open it)
  --revoke-command <cmd>      takes the grant of LEURIA_ORIGIN back
  --tool-prompt <text>        asks the AI to call the tool read_lighthouse_log and to repeat what it says
  --patience <seconds>        longest single wait (default 40; 610 sees everything)
  --answer-limit <seconds>    how long you may take for an answer (default 120)
  --turn-limit <seconds>      how long the AI may take for a turn (default 120)
  --home <folder>             the engine's home folder, to look at grants.json
  --flood                     allows 20 questions at once

Without --answer-from-stdin and --approve-command you are asked to answer in the engine's own page or window.
Exit code: 0 no clause failed, 1 one failed, 2 it could not be checked.`

const OPTIONS = {
  json: { type: 'boolean', default: false },
  only: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  mode: { type: 'string' },
  'answer-from-stdin': { type: 'boolean', default: false },
  'approve-command': { type: 'string' },
  'open-command': { type: 'string' },
  'revoke-command': { type: 'string' },
  'tool-prompt': { type: 'string' },
  patience: { type: 'string' },
  'answer-limit': { type: 'string' },
  'turn-limit': { type: 'string' },
  home: { type: 'string' },
  flood: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options']

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export type Flags = ReturnType<typeof read>['values']

export interface Told {
  command: string
  flags: Flags
  /** What stands behind the command. */
  rest: readonly string[]
}

/** @throws UsageError */
export function readArguments(args: readonly string[]): Told {
  const { values, positionals } = read(args)
  const [command = '', ...rest] = positionals
  return { command: values.help ? 'help' : command, flags: values, rest }
}

/** Seconds as typed, in milliseconds. @throws UsageError */
export function milliseconds(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!(seconds > 0)) throw new UsageError(`--${flag} is a number of seconds, not "${text}".`)
  return seconds * 1_000
}

/** @throws UsageError */
export function readMode(text: string | undefined): Mode | undefined {
  if (text === undefined || text === 'page' || text === 'app') return text
  throw new UsageError(`--mode is page or app, not "${text}".`)
}

/** @throws UsageError */
export function readEngineClauses(text: string | undefined): EngineClauseId[] | undefined {
  return text?.split(',').map((id) => {
    if (isEngineClause(id)) return id
    throw new UsageError(`There is no clause "${id}" for engines; leuria-conformance clauses lists them.`)
  })
}

/** @throws UsageError */
export function readClientClauses(text: string | undefined): ClientClauseId[] | undefined {
  return text?.split(',').map((id) => {
    if (isClientClause(id)) return id
    throw new UsageError(`There is no clause "${id}" for clients; leuria-conformance clauses lists them.`)
  })
}

function isEngineClause(id: string): id is EngineClauseId {
  return Object.hasOwn(ENGINE_CHECKS, id)
}

/** An engine's address. @throws UsageError */
export function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!URL.canParse(text) || new URL(text).protocol !== 'http:')
    throw new UsageError(`"${text}" is no http:// address.`)
  return text
}
