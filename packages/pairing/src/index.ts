/** Public names of `@leuria/pairing`. */
export { createPairing } from './create-pairing.js'
export { refusalError } from './refusal-error.js'
export type {
  Allowed,
  ClaimOutcome,
  ClaimRequest,
  DecideOutcome,
  DecideRequest,
  IssueInput,
  LinkOutcome,
  LinkRequest,
  Pairing,
  PairingEvent,
  PairingGrants,
  PairingOptions,
  QuestionView,
  Refused,
} from './pairing.js'
