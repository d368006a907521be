/**
 * Every failure that may cross the wire: code → HTTP status, and which codes the wire shows.
 * Adding a row changes the protocol; texts are for people and may change at any time.
 */

/** Code → status (Conventions, Errors; 413 is this engine's own answer to a body over the limit). */
export const ERROR_STATUS = {
  bad_request: 400,
  not_paired: 401,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  expired: 410,
  too_large: 413,
  invalid_provider: 422,
  /** What was asked for can't be had on this computer; the text says why. */
  unusable: 422,
  /** Its maker gives no checksum: it can be had when the visitor insists. */
  unverified: 422,
  too_many: 429,
  over_budget: 429,
  conflict: 409,
  internal_error: 500,
  embedder_failed: 502,
  no_embedder: 503,
} as const satisfies Record<string, number>

/** A machine-readable reason for a failure. */
export type ErrorCode = keyof typeof ERROR_STATUS

/**
 * Codes that the body's `code` field carries. The page names `not_paired` and `no_embedder`; the others are additive.
 * Everything else is told apart by its status alone, as the page's table has it.
 */
const WIRE_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_paired',
  'no_embedder',
  'over_budget',
  'internal_error',
  'unverified',
])

/** The JSON body of every error answer (Conventions, Errors). */
export interface ErrorBody {
  error: string
  code?: string
  /** Whole seconds until it is worth trying again; only with 429 (additive). */
  retryAfterS?: number
}

/** What an `EngineError` may carry besides its text. */
export interface EngineErrorOptions {
  cause?: unknown
  retryAfterS?: number
}

/**
 * The only error whose message reaches the wire: says what happened and what to do, and holds no secret.
 * Anything else that is thrown is logged with an id and answered as `internal_error` with that id.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly retryAfterS: number | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: EngineErrorOptions = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.retryAfterS = options.retryAfterS
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** The body that goes over the wire for a code and a text. */
export function errorBody(code: ErrorCode, message: string, retryAfterS?: number): ErrorBody {
  return {
    error: message,
    ...(WIRE_CODES.has(code) ? { code } : {}),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  }
}
