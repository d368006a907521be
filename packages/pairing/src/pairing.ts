/** The shapes of pairing: what the engine calls, what it gets, what it must bring. */
import type { Clock } from '@leuria/clock'
import type { ErrorCode, Needs, Origin, PairingDecision } from '@leuria/protocol'

/**
 * Where grants are kept. Calls for one origin are made in the order of events and must take effect in that order.
 * `@leuria/grant-store` is one.
 */
export interface PairingGrants {
  /**
   * Writes a grant, marked as uncollected, and makes its token. Resolves once the grant is durable: a grant whose mark
   * is still there at the next start is to be removed then.
   */
  issue(input: IssueInput): Promise<{ token: string }>
  /** The token is about to leave: clears the mark. Durable when it resolves, so that no crash takes back what a page has. */
  collected(origin: Origin): Promise<void>
  /** It never arrived: sets the mark again. */
  uncollected(origin: Origin): Promise<void>
  /** Removes the grant if it still has the mark. */
  discardUncollected(origin: Origin): Promise<void>
}

export interface IssueInput {
  origin: Origin
  app?: string
  needs?: Needs
  /** The visitor's choice while answering; absent: none was made. `null`: the default AI. */
  agent?: string | null
  model?: string | null
  uncollected: true
}

export interface PairingOptions {
  /** Time for every limit; the calendar is never looked at. */
  clock: Clock
  /**
   * Where the visitor answers. `page`: on the engine's own page, for which each question gets a one-time key, and claims
   * ask by themselves. `app`: in the app's window; only links ask.
   */
  approvals: 'page' | 'app'
  grants: PairingGrants
  /** Origins that can't be linked: the engine's own. @default none */
  isReserved?(origin: Origin): boolean
  /** A grant could not be marked or removed, or a listener threw. Nothing waits for it. @default nothing is done */
  onError?(error: unknown): void
}

/** An outcome that the engine answers with the code's status. */
export interface Refused {
  readonly kind: 'refused'
  readonly code: Extract<ErrorCode, 'bad_request' | 'forbidden' | 'not_found' | 'expired' | 'too_many'>
  readonly message: string
  /** Whole seconds until asking again can succeed; only with `too_many`, when that is known. */
  readonly retryAfterS?: number
}

export interface LinkRequest {
  /** As the link has it. A path is dropped; anything but an http(s) origin is refused. */
  origin: string
  nonce: string
  app?: string | undefined
  needs?: Needs | undefined
}
export type LinkOutcome = { readonly kind: 'asked'; readonly requestId: string } | Refused

export interface ClaimRequest {
  /** The web origin that the browser sent. */
  origin: Origin
  nonce: string
  /** `app` and `needs` count only where claims ask. */
  app?: string | undefined
  needs?: Needs | undefined
  /** Aborts when the client goes away before it has its answer: nobody waits any more. */
  signal?: AbortSignal | undefined
}

/** The token, handed to one claim. Exactly one of the two must be called; without either it counts as lost after 10 s. */
export interface Allowed {
  readonly kind: 'allowed'
  readonly token: string
  /** The answer left on a live connection: the question is over. */
  delivered(): void
  /** The connection died first: the same nonce may collect the token. */
  lost(): void
}
export type ClaimOutcome = { readonly kind: 'pending' } | { readonly kind: 'denied' } | Allowed | Refused

/** The visitor's answer. */
export type DecideRequest = {
  requestId: string
  allow: boolean
  /** The AI and model they chose with it. */
  agent?: string | null | undefined
  model?: string | null | undefined
} & (
  | { /** The question's one-time key, as the approval page sent it. */ key: string; admin?: false }
  | { /** The answer came with the admin token. */ admin: true; key?: undefined }
)
export type DecideOutcome =
  { readonly kind: 'decided'; readonly decision: 'allowed' | 'denied'; readonly origin: Origin } | Refused

/** A question as it is shown. */
export interface QuestionView {
  readonly requestId: string
  readonly origin: Origin
  /** At most 80 characters, without control characters; still to be escaped. */
  readonly app?: string
  readonly needs?: Needs
}

export type PairingEvent =
  | (QuestionView & {
      /** `asked_again`: the site tried again while its question was open. */
      readonly kind: 'asked' | 'asked_again'
      /** The approval page's one-time key; `null` where the app asks. Secret: whoever has it can say yes. */
      readonly key: string | null
    })
  | { readonly kind: 'decided'; readonly requestId: string; readonly origin: Origin; readonly allowed: boolean }
  /** Nobody answered in time. */
  | { readonly kind: 'expired'; readonly requestId: string; readonly origin: Origin }

export interface Pairing {
  /** The system handed over a `leuria://connect` link. Refuses `bad_request`, `not_found` (an older nonce), `too_many`. */
  link(request: LinkRequest): LinkOutcome
  /** `POST /connect/claim`: settles within 25 s. Refuses `bad_request`, `not_found`, `expired`, `too_many`. */
  claim(request: ClaimRequest): Promise<ClaimOutcome>
  /**
   * The visitor's answer. A Yes resolves once the grant is durable. Refuses `expired` (unknown or answered, too) and
   * `forbidden` (wrong key). Rejects as `grants.issue` does; the question is then open again.
   */
  decide(request: DecideRequest): Promise<DecideOutcome>
  /** What became of a question; `null`: unknown, or forgotten some minutes after its end. */
  decision(requestId: string): PairingDecision | null
  /** A question that still waits for its answer; `null` for any other id. */
  question(requestId: string): QuestionView | null
  /** True for the one-time key of a question that still waits for its answer. Compared in constant time. */
  isKey(requestId: string, key: string): boolean
  /** Questions that wait for an answer, oldest first. */
  pending(): readonly QuestionView[]
  /** A link or a claim named the origin and the answer hasn't been collected yet. O(1). */
  named(origin: Origin): boolean
  /** The visitor took the origin's grant back: a token that nobody has collected yet is dropped. */
  revoked(origin: Origin): void
  /** Listeners are called at once, in order; returns the undo. */
  subscribe(listener: (event: PairingEvent) => void): () => void
  /** Answers waiting claims with `pending`, removes uncollected grants, stops all timers. Idempotent. */
  close(): Promise<void>
}
