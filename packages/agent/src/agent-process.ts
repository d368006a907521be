/**
 * An agent's program while it runs, as whoever speaks to it sees it: three streams, an end, and a way to end it.
 * How it is started and what box it is in is `@leuria/agent-sandbox`'s business; what is said over the streams is not.
 */
import type { Readable, Writable } from 'node:stream'

/** What to start. */
export interface AgentLaunch {
  /** An absolute path, or a name on the PATH. Never a command line: no shell is involved. */
  command: string
  /** Never secrets: other programs can read them. */
  args: readonly string[]
  /** Added to the few variables that every agent gets. */
  env?: Readonly<Record<string, string>>
  /** For log lines; the program isn't told. */
  sessionId: string
  /** Ends the program as `kill` does, also while it is being started. */
  signal?: AbortSignal
}

/** How a program ended: by its own code or by a signal. Both null: it was never started, or nobody can tell. */
export interface AgentProcessExit {
  readonly code: number | null
  readonly signal: string | null
}

export interface AgentProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves once, when the program itself has ended. Never rejects. What it wrote may still wait in the streams. */
  readonly exited: Promise<AgentProcessExit>
  /**
   * Ends the program and everything it started: the end of stdin, then SIGTERM, then SIGKILL, each with some time.
   * Idempotent. Resolves within 10 s, when all are gone and the scratch folder is removed. Never rejects.
   */
  kill(): Promise<void>
  /** The working folder: empty at the start, private, removed afterwards. Absolute. */
  readonly cwd: string
}

/** Starts an agent's program. @throws AgentError `unavailable` or `failed`, with words for people; nothing is left then */
export type LaunchAgent = (launch: AgentLaunch) => Promise<AgentProcess>
