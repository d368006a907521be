/** Every scenario, in the order they run. */
import type { Scenario } from './scenario.js'
import { agentStart } from './scenarios/agent-start.js'
import { agentTurn } from './scenarios/agent-turn.js'
import { embed } from './scenarios/embed.js'
import { gate } from './scenarios/gate.js'
import { idle } from './scenarios/idle.js'
import { start } from './scenarios/start.js'
import { toolCall } from './scenarios/tool-call.js'
import { turn } from './scenarios/turn.js'

export const scenarios: readonly Scenario[] = [start, gate, toolCall, turn, embed, idle, agentTurn, agentStart]
