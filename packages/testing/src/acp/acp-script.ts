/** What the scripted ACP agent does, as data: so that the same script drives it in this process and in one of its own. */

/** How a request of the client is answered. */
export type AcpAnswer =
  | { readonly result: object }
  | { readonly error: { code: number; message: string; data?: unknown } }
  | { readonly hang: true }

/** Fields of a tool call, as ACP has them. */
export interface AcpToolCall {
  readonly toolCallId?: string
  readonly title?: string
  readonly name?: string
  readonly kind?: string
  readonly status?: string
  readonly rawInput?: unknown
  readonly content?: readonly object[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface AcpPermissionOption {
  readonly optionId: string
  readonly name?: string
  readonly kind: string
}

export type AcpStep =
  /** A piece of the answer; `{{result}}` is the last tool result. */
  | { readonly say: string }
  | { readonly think: string }
  /** `session/update` with this; `in`: another session's id. */
  | { readonly update: object; readonly in?: string }
  /** Bytes on stdout as they are. */
  | { readonly raw: string }
  | { readonly stderr: string }
  /** Reports a call of a page tool, makes it over MCP, reports its end. `silent`: reports nothing. */
  | { readonly call: string; readonly arguments?: object; readonly as?: AcpToolCall; readonly silent?: true }
  /** Asks for permission and writes down what came; `then` is done if it was allowed. */
  | {
      readonly ask: AcpToolCall
      readonly options?: readonly AcpPermissionOption[]
      readonly in?: string
      readonly then?: readonly AcpStep[]
    }
  /** Asks the client for anything else, and writes down whether it got it. */
  | { readonly request: string; readonly params?: object }
  /** Until the turn is cancelled. */
  | { readonly wait: 'cancel' | 'ever' }
  | { readonly pauseMs: number }
  | { readonly repeat: number; readonly steps: readonly AcpStep[] }
  /** Answers the prompt; without this the turn ends by `end_turn`, or `cancelled` if it was. */
  | { readonly stop: string; readonly usage?: object }
  | { readonly fail: { code: number; message: string; data?: unknown } }
  /** The prompt is never answered. */
  | { readonly noAnswer: true }
  | { readonly exit: number }
  /** Closes stdout and stays. */
  | { readonly closeOutput: true }
  /** Reads a file, or the names in a folder, of the computer, and writes down whether it could. */
  | { readonly readFile: string }
  | { readonly listFolder: string }
  /** Writes a file of the computer, and writes down whether it could. */
  | { readonly writeFile: string; readonly text: string }
  /** Starts a program that would outlive it. `detached`: in a group of its own. `mark`: on its command line, to find it by. */
  | { readonly child: 'same_group' | 'detached'; readonly mark?: string }
  /**
   * Asks a URL, and writes down the status. In URL, headers and body `{{engine}}` is the engine's address, as the agent
   * was told it for its tools, and `{{token}}` the token that it got for them.
   */
  | {
      readonly fetch: string
      readonly method?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      /** Gives up then; the status is null. @default 5 s */
      readonly limitMs?: number
    }
  /** Says what was written down, as JSON. */
  | { readonly report: true }

export interface AcpScript {
  /** Done before anything is read. */
  readonly start?: readonly AcpStep[]
  readonly initialize?: AcpAnswer
  /** One for each `session/new`, the last one for all that follow. A result without `sessionId` gets one. */
  readonly newSession?: readonly AcpAnswer[]
  readonly authenticate?: AcpAnswer
  /** For other requests of the client, by method. */
  readonly answers?: Readonly<Record<string, AcpAnswer>>
  /** Done after each `session/new` was answered. */
  readonly opened?: readonly AcpStep[]
  /** By the prompt's whole text; then in order; then `otherwise`. */
  readonly scenes?: Readonly<Record<string, readonly AcpStep[]>>
  readonly prompts?: readonly (readonly AcpStep[])[]
  /** @default says "Hello." */
  readonly otherwise?: readonly AcpStep[]
  /** Comes to the tools: @default both ways */
  readonly tools?: 'http' | 'stdio' | 'never'
  /** @default '\n' */
  readonly lineEnd?: string
  /** Stays when its input ends, and at SIGTERM. */
  readonly clings?: true
}

export const ACP_OPTIONS: readonly AcpPermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

/** What an agent got out of a step. */
export type AcpOutcome =
  | { readonly kind: 'permission'; readonly toolCallId: string; readonly outcome: string; readonly optionId?: string }
  | { readonly kind: 'request'; readonly method: string; readonly ok: boolean; readonly code?: number }
  | { readonly kind: 'file'; readonly path: string; readonly ok: boolean }
  | { readonly kind: 'child'; readonly pid: number }
  | { readonly kind: 'fetch'; readonly url: string; readonly status: number | null }
