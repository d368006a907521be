/**
 * What a kind of AI implements: an adapter opens sessions, a session runs turns one after the other.
 * Sessions, streams and limits are others' business; an adapter only speaks to its AI.
 */
import type { PageTools } from './page-tools.js'
import type { Prompt } from './prompt.js'
import type { TurnEvent } from './turn-event.js'

/** Everything an AI gets for one session. */
export interface OpenOptions {
  sessionId: string
  tools: PageTools
  /** Replaces the AI's own preset. */
  systemPrompt?: string
  /** Most steps a turn may take, 1 to 50. @default the adapter's own */
  maxTurns?: number
  /** How an agent in a process of its own reaches the tools over MCP: streamable HTTP with a bearer token. */
  mcp: {
    url: string
    token: string
    /** Resolves when a client has introduced itself there with this token. Absent: nobody can tell. */
    connected?: Promise<void>
  }
  /** Whose session it is: an origin, or `local`. Only for the visitor's log, and to keep sites apart. */
  site?: string
  /** The model the visitor chose for this AI; absent: the AI's own default. */
  model?: string
  /** Aborted when the session ends while it is still being opened: nothing may be left running. */
  signal: AbortSignal
  /** A line for debugging (an agent's stderr); never holds secrets. */
  log(line: string): void
}

/** How an AI ended by itself. */
export interface AgentExit {
  /** True: it ended in order (exit code 0). False: it crashed; `reason` says how. */
  clean: boolean
  /** In plain words, for example "The AI's program ended unexpectedly (code 1)." */
  reason: string
}

/** One running AI for one page. */
export interface AgentSession {
  /**
   * Runs a turn. At most one at a time: the caller waits for the last one to end.
   * Ends with exactly one `turn_end`; throws `AgentError` when the turn can't be carried out.
   * Aborting `signal` cancels the turn: the iterator ends with `turn_end` `cancelled` as soon as the AI has settled,
   * and yields no text that arrives after the abort.
   */
  prompt(prompt: Prompt, signal: AbortSignal): AsyncIterable<TurnEvent>
  /** Resolves when the AI ended by itself, never after `close`. Adapters without a process never resolve it. */
  readonly exited: Promise<AgentExit>
  /** Stops the AI and frees everything. Idempotent, safe during a turn, settles within 10 s. */
  close(): Promise<void>
}

/** One kind of AI, configured and ready to open sessions. */
export interface AgentAdapter {
  /** For example `demo` or `llm:ollama/llama3.2`. */
  readonly id: string
  /** A plain name for people, for example "Demo AI (no model)". */
  readonly name: string
  /**
   * Starts the AI for one session.
   * @throws AgentError `unavailable`, `signed_out` or `failed`, with words for people.
   */
  open(options: OpenOptions): Promise<AgentSession>
}
