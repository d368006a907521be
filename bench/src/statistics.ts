/** Medians and spreads: single figures of a shared machine mean little, ratios within one round do. */

/** The middle value; the lower of two. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

export interface Spread {
  min: number
  median: number
  max: number
}

export function spreadOf(values: readonly number[]): Spread {
  return { min: Math.min(...values), median: median(values), max: Math.max(...values) }
}
