/** A check for each of the engine's clauses: the compiler holds that none is missing. */
import type { EngineClauseId } from '../../clauses/all-clauses.js'
import type { Checks } from '../kit.js'
import { baseChecks, hostChecks } from './base-checks.js'
import { authenticationChecks, callerChecks, securityChecks, silenceChecks } from './caller-checks.js'
import { channelChecks } from './channel-checks.js'
import { bodyChecks, corsChecks, errorChecks } from './cors-checks.js'
import { embedChecks } from './embed-checks.js'
import { healthChecks } from './health-checks.js'
import { pairingChecks } from './pairing-checks.js'
import { sessionChecks } from './session-checks.js'
import { streamChecks } from './stream-checks.js'
import { toolChecks } from './tool-checks.js'

export const ENGINE_CHECKS: Checks<EngineClauseId> = {
  ...baseChecks,
  ...hostChecks,
  ...callerChecks,
  ...authenticationChecks,
  ...silenceChecks,
  ...corsChecks,
  ...bodyChecks,
  ...errorChecks,
  ...healthChecks,
  ...pairingChecks,
  ...sessionChecks,
  ...streamChecks,
  ...channelChecks,
  ...toolChecks,
  ...embedChecks,
  ...securityChecks,
}
