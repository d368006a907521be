/**
 * The work that one check of arguments may cost. A schema that doubles its work at every level, or a pattern that
 * backtracks, must not stop the process: the check gives up and the page, which must check its arguments anyway, decides.
 */
import type { JsonExtent } from './json-extent.js'

/** About 20 ms on a slow machine; ordinary arguments take a few dozen. */
const MAX_STEPS = 10_000
/** Steps of regular expressions, some nanoseconds each: about 20 ms in all. */
const MAX_PATTERN_STEPS = 2_000_000

/** Thrown out of the checking library once the effort is used up. */
export class EffortExceeded extends Error {
  override readonly name = 'EffortExceeded'
}

export class CheckEffort {
  #steps = 0
  #patternSteps = 0
  #extent: JsonExtent | null = null
  /** True once a pattern was left out: a failure may then be its doing and doesn't count. */
  skippedPattern = false

  begin(extent: JsonExtent): void {
    this.#steps = 0
    this.#patternSteps = 0
    this.#extent = extent
    this.skippedPattern = false
  }

  /** @throws EffortExceeded */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw new EffortExceeded()
  }

  /** Whether a pattern may run, at worst on the longest text there is, `times` over. */
  allows(stepsOn: (textLength: number) => number, times: (extent: JsonExtent) => number): boolean {
    if (this.#extent === null) return true
    this.#patternSteps += stepsOn(this.#extent.longestText) * times(this.#extent)
    if (this.#patternSteps <= MAX_PATTERN_STEPS) return true
    this.skippedPattern = true
    return false
  }

  /** Comparing each item with each other: fine for short lists only. */
  allowsUniqueItems(): boolean {
    if (this.#extent === null || this.#extent.widest <= 200) return true
    this.skippedPattern = true
    return false
  }
}
