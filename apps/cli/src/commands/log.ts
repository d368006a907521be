/** `leuria log`: what sites and AIs did, from the visitor's own log. */
import { type AuditRecord, readAudit } from '@leuria/audit'
import { UserError } from '../fail.js'
import { homeOptions } from '../home.js'
import { readTime, showTime } from '../local-time.js'
import { readOrigin } from '../read-origin.js'

export interface LogFlags {
  origin?: string
  since?: string
  follow?: boolean
  json?: boolean
}

/** @throws UserError */
function readSince(text: string): Date {
  const time = readTime(text, new Date())
  if (time === null) throw new UserError(`"${text}" is not a time like 2026-11-30, 30m, 2h or 7d.`)
  return time
}

/** Names come from sites: what could move a terminal's cursor or turn a line around is shown as a dot. */
function plain(value: unknown): string {
  return String(value).replace(/[\p{Cc}\p{Cf}]/gu, '·')
}

/** One line for people: when, what, and the rest as `name=value`. */
function describe({ at, kind, ...rest }: AuditRecord): string {
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${plain(value)}`)
  return [showTime(at), kind.replaceAll('_', ' '), ...facts].join('  ')
}

/** Prints the records, oldest first; with `--follow` until Ctrl+C, or until nobody reads any more. */
export async function showLog(flags: LogFlags): Promise<void> {
  const stop = new AbortController()
  const end = (): void => {
    stop.abort()
  }
  process.once('SIGINT', end).once('SIGTERM', end)
  process.stdout.on('error', end)
  const records = readAudit({
    ...homeOptions(),
    signal: stop.signal,
    ...(flags.follow === true ? { follow: true } : {}),
    ...(flags.origin === undefined ? {} : { origin: readOrigin(flags.origin) }),
    ...(flags.since === undefined ? {} : { since: readSince(flags.since) }),
  })
  for await (const record of records) console.log(flags.json === true ? JSON.stringify(record) : describe(record))
}
