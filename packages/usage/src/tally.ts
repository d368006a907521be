/** Counts that are not in the file yet: by day and site, and the turns by minute. Sums only; touches no file. */
import type { Origin } from '@leuria/protocol'

/** Whose usage it is: a site's, or that of programs on this computer. */
export type Owner = Origin | 'local'

/** What was used. */
export interface Counts {
  turns: number
  tokens: number
  estimatedTokens: number
}

export const NOTHING_USED: Readonly<Counts> = { turns: 0, tokens: 0, estimatedTokens: 0 }

export function sum(a: Counts, b: Counts): Counts {
  return {
    turns: a.turns + b.turns,
    tokens: a.tokens + b.tokens,
    estimatedTokens: a.estimatedTokens + b.estimatedTokens,
  }
}

export class Tally {
  readonly days = new Map<string, Map<Owner, Counts>>()
  /** Owner → minute since 1970 → turns. */
  readonly minutes = new Map<Owner, Map<number, number>>()

  get isEmpty(): boolean {
    return this.days.size === 0
  }

  add(day: string, owner: Owner, counts: Partial<Counts>): void {
    const sites = entryOf(this.days, day, () => new Map<Owner, Counts>())
    sites.set(owner, sum(sites.get(owner) ?? NOTHING_USED, { ...NOTHING_USED, ...counts }))
  }

  addTurns(owner: Owner, minute: number, turns: number): void {
    const minutes = entryOf(this.minutes, owner, () => new Map<number, number>())
    minutes.set(minute, (minutes.get(minute) ?? 0) + turns)
  }

  /** Takes everything of another tally. */
  addAll(other: Tally): void {
    for (const [day, sites] of other.days) for (const [owner, counts] of sites) this.add(day, owner, counts)
    for (const [owner, minutes] of other.minutes)
      for (const [minute, turns] of minutes) this.addTurns(owner, minute, turns)
  }

  of(day: string, owner: Owner): Counts {
    return this.days.get(day)?.get(owner) ?? NOTHING_USED
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
