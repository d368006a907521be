/** Every scenario, in the order they run. */
import type { Scenario } from './scenario.js'
import { gate } from './scenarios/gate.js'
import { start } from './scenarios/start.js'

export const scenarios: readonly Scenario[] = [start, gate]
