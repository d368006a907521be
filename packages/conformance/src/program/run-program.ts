/** The program `leuria-conformance`, without the process around it: arguments and streams in, an exit code out. */
import { CLAUSES } from '../clauses/all-clauses.js'
import { checkClient } from '../client-check/check-client.js'
import { DriverProgram } from '../client-check/driver-program.js'
import { checkEngine } from '../engine-check/check-engine.js'
import { formatReport } from '../report/print-report.js'
import type { ClauseResult, Report } from '../report/report.js'
import {
  milliseconds,
  readArguments,
  readClientClauses,
  readEngineClauses,
  readMode,
  readUrl,
  type Told,
  USAGE,
  UsageError,
} from './options.js'
import { programVisitor } from './program-visitor.js'

export interface ProgramStreams {
  stdin: NodeJS.ReadableStream
  /** The report. */
  out: (text: string) => void
  /** What a person should know or do meanwhile. */
  err: (text: string) => void
}

const OK = 0
const FAILED = 1
const UNCHECKED = 2

async function engine({ flags, rest }: Told, { stdin, err }: ProgramStreams): Promise<Report> {
  const only = readEngineClauses(flags.only)
  return checkEngine({
    url: readUrl(rest[0]),
    mode: readMode(flags.mode),
    visitor: programVisitor({ flags, stdin, tell: err }),
    patienceMs: milliseconds(flags.patience, 'patience'),
    answerLimitMs: milliseconds(flags['answer-limit'], 'answer-limit'),
    turnLimitMs: milliseconds(flags['turn-limit'], 'turn-limit'),
    toolPrompt: flags['tool-prompt'],
    home: flags.home,
    flood: flags.flood,
    only,
    onResult: ({ clause, status }) => {
      if (status === 'failed') err(`FAIL ${clause.id}`)
    },
  })
}

async function client({ flags, rest }: Told, { err }: ProgramStreams): Promise<Report> {
  if (rest.length === 0)
    throw new UsageError('Say which program has the client: leuria-conformance client -- <command>')
  const only = readClientClauses(flags.only)
  const driver = new DriverProgram(rest)
  const onResult = ({ clause, status }: ClauseResult): void => {
    if (status === 'failed') err(`FAIL ${clause.id}`)
  }
  try {
    return await checkClient({ openPage: driver.openPage, name: rest.join(' '), only, onResult })
  } finally {
    driver.close()
  }
}

function listClauses(out: (text: string) => void): number {
  for (const { id, side, level, section, sentence } of CLAUSES) out(`${id}\t${side} ${level}\t${section}\t${sentence}`)
  return OK
}

function print(report: Report, asJson: boolean): string {
  return asJson ? JSON.stringify(report, null, 2) : formatReport(report)
}

async function perform(told: Told, streams: ProgramStreams): Promise<number> {
  switch (told.command) {
    case 'engine': {
      const report = await engine(told, streams)
      streams.out(print(report, told.flags.json))
      return report.ok ? OK : FAILED
    }
    case 'client': {
      const report = await client(told, streams)
      streams.out(print(report, told.flags.json))
      return report.ok ? OK : FAILED
    }
    case 'clauses':
      return listClauses(streams.out)
    case 'help':
      streams.out(USAGE)
      return OK
    default:
      throw new UsageError(told.command === '' ? 'Say what to check.' : `There is nothing called "${told.command}".`)
  }
}

/** Never rejects for what was typed. */
export async function runProgram(args: readonly string[], streams: ProgramStreams): Promise<number> {
  try {
    return await perform(readArguments(args), streams)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    streams.err(`${error.message}\n\n${USAGE}`)
    return UNCHECKED
  }
}
