/** The changes that can be made to `limits.json`, as pure functions. The same object back means: nothing to change. */
import { LIMIT_NAMES, type LimitsFile, type Origin, type SiteLimits } from '@leuria/protocol'
import type { LimitName } from '@leuria/protocol'

/** An absent limit stays as it is, `null` takes it away. */
export type LimitChange = { [Name in LimitName]?: number | null }

/** What holds for one site. */
export type LimitEntry = SiteLimits & { origin: Origin }

export const emptyLimitsFile = (): LimitsFile => ({ version: 1, limits: [] })

/** The limits of each site that has any. Of two entries (an edit by hand) the later one counts. */
export function indexLimits(file: LimitsFile): ReadonlyMap<Origin, SiteLimits> {
  const index = new Map<Origin, SiteLimits>()
  for (const entry of file.limits) {
    const limits = pick(entry)
    if (Object.keys(limits).length > 0) index.set(entry.origin, limits)
    else index.delete(entry.origin)
  }
  return index
}

/** Changes a site's limits. A site left without any loses its entry. */
export function changeLimits(file: LimitsFile, origin: Origin, change: LimitChange): LimitsFile {
  const old = file.limits.findLast((entry) => entry.origin === origin)
  const entry = { ...(old ?? { origin }) }
  for (const name of LIMIT_NAMES) {
    const value = change[name]
    if (value === null) delete entry[name]
    else if (value !== undefined) entry[name] = value
  }
  if (LIMIT_NAMES.every((name) => entry[name] === old?.[name])) return file
  const others = file.limits.filter((other) => other.origin !== origin)
  return { ...file, limits: Object.keys(pick(entry)).length === 0 ? others : [...others, entry] }
}

/** Takes all of a site's limits away. */
export function clearLimits(file: LimitsFile, origin: Origin): LimitsFile {
  const limits = file.limits.filter((entry) => entry.origin !== origin)
  return limits.length === file.limits.length ? file : { ...file, limits }
}

function pick(entry: SiteLimits): SiteLimits {
  return Object.fromEntries(LIMIT_NAMES.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])))
}
