/** A refusal as the error that a route throws: its code is the answer's status. */
import { EngineError } from '@leuria/protocol'
import type { Refused } from './pairing.js'

export function refusalError({ code, message, retryAfterS }: Refused): EngineError {
  return new EngineError(code, message, retryAfterS === undefined ? {} : { retryAfterS })
}
