/** Everything whose growth is measured, in the order it runs. */
import type { GrowthScenario } from './growth.js'
import { agentTokens } from './growth/agent-tokens.js'
import { callsBySessions } from './growth/calls-by-sessions.js'
import { callsByTools } from './growth/calls-by-tools.js'
import { firstTokensBySessions } from './growth/first-tokens-by-sessions.js'
import { gateByConnections } from './growth/gate-by-connections.js'
import { gateByGrants } from './growth/gate-by-grants.js'
import { memoryBySessions } from './growth/memory-by-sessions.js'
import { replayByTokens } from './growth/replay-by-tokens.js'
import { resultByBytes } from './growth/result-by-bytes.js'
import { tokensByLength } from './growth/tokens-by-length.js'
import { tokensBySessions } from './growth/tokens-by-sessions.js'

export const growthScenarios: readonly GrowthScenario[] = [
  gateByGrants,
  gateByConnections,
  callsBySessions,
  callsByTools,
  resultByBytes,
  firstTokensBySessions,
  tokensBySessions,
  tokensByLength,
  replayByTokens,
  agentTokens,
  memoryBySessions,
]
