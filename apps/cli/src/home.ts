/** Opens a file of the home folder for one command and closes it again, whatever happens. */
import { type GrantStore, openGrantStore } from '@leuria/grant-store'
import { resolveHome } from '@leuria/state'
import { openUsage, type Usage } from '@leuria/usage'

interface Closable {
  close(): Promise<void>
}

/** Lines for people go to stderr: stdout is a command's answer. */
export function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** What every part that opens files of the home takes. */
export function homeOptions(): { home: string; log: (line: string) => void } {
  return { home: resolveHome(process.env), log: warn }
}

export async function using<Part extends Closable, Result>(
  opening: Promise<Part>,
  work: (part: Part) => Promise<Result> | Result,
): Promise<Result> {
  const part = await opening
  try {
    return await work(part)
  } finally {
    await part.close()
  }
}

export function withGrants<Result>(work: (grants: GrantStore) => Promise<Result> | Result): Promise<Result> {
  return using(openGrantStore(homeOptions()), work)
}

export function withUsage<Result>(work: (usage: Usage) => Promise<Result> | Result): Promise<Result> {
  return using(openUsage(homeOptions()), work)
}
