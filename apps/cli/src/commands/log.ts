/** `leuria log`: what sites and AIs did, from the visitor's own log. */
import { type AuditRecord, readAudit } from '@leuria/audit'
import { UserError } from '../fail.js'
import { homeOptions } from '../home.js'
import { readOrigin } from '../read-origin.js'

export interface LogFlags {
  origin?: string
  since?: string
  follow?: boolean
  json?: boolean
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `2026-11-30`, `2026-11-30T10:00`, or a span before now: `30m`, `2h`, `7d`. @throws UserError */
function readSince(text: string): Date {
  const span = /^(\d{1,5})([mhd])$/.exec(text)
  const date = span === null ? new Date(text) : new Date(Date.now() - Number(span[1]) * (UNIT_MS[span[2] ?? ''] ?? 0))
  if (Number.isNaN(date.getTime())) throw new UserError(`"${text}" is not a time like 2026-11-30, 30m, 2h or 7d.`)
  return date
}

/** One line for people: when, what, and the rest as `name=value`. */
function describe({ at, kind, ...rest }: AuditRecord): string {
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`)
  return [at.slice(0, 19).replace('T', ' '), kind.replaceAll('_', ' '), ...facts].join('  ')
}

/** Prints the records, oldest first; with `--follow` until Ctrl+C. */
export async function showLog(flags: LogFlags): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => {
    stop.abort()
  })
  const records = readAudit({
    ...homeOptions(),
    signal: stop.signal,
    ...(flags.follow === true ? { follow: true } : {}),
    ...(flags.origin === undefined ? {} : { origin: readOrigin(flags.origin) }),
    ...(flags.since === undefined ? {} : { since: readSince(flags.since) }),
  })
  for await (const record of records) console.log(flags.json === true ? JSON.stringify(record) : describe(record))
}
