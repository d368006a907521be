/** Chance that comes out the same for the same seed: mulberry32. Not for secrets. */

/** Numbers from 0 up to, not including, 1. */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from `from` to `to`, both possible. */
export function between(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1))
}

/** One of the list. @throws when it is empty */
export function pick<T>(random: Random, list: readonly T[]): T {
  const chosen = list[Math.floor(random() * list.length)]
  if (chosen === undefined) throw new Error('There is nothing to pick from.')
  return chosen
}
