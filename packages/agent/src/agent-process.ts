/**
 * How an adapter gets the program of its AI started: it says what to run, someone else builds the box around it.
 * `@leuria/agent-sandbox` implements `LaunchAgent`; `@leuria/agent-acp` uses it.
 */
import type { Readable, Writable } from 'node:stream'

/** Stands for the absolute path of the session's private folder, in `args`, in values of `env` and in `files`' texts. */
export const PRIVATE_FOLDER = '{private}'

/** Something of the visitor's that an agent needs to be signed in, for example the file Codex keeps its login in. */
export interface SignInPath {
  /** A file or folder in the visitor's home, with `/`: `.codex/auth.json`. It may be absent. */
  readonly home: string
  /** Where the agent looks for it, in the private folder, with `/`: `codex/auth.json`. Absent: at its place in the home. */
  readonly at?: string
}

export interface AgentLaunch {
  /** A program: an absolute path, or a name on the path. Never a shell line. */
  readonly command: string
  /** Never secrets: other programs can read them. */
  readonly args: readonly string[]
  /** What is set on top of the box's own allow-list of variables. */
  readonly env: Readonly<Record<string, string>>
  readonly sessionId: string
  /** Aborted while the program starts: nothing may be left running. Without effect afterwards. */
  readonly signal: AbortSignal
  /** Written (0600) into the session's private folder before the start: path with `/` → text. Removed after the end. */
  readonly files?: Readonly<Record<string, string>>
  readonly signIn?: readonly SignInPath[]
  /**
   * For signing in: what the program made at places of `signIn` that were absent is brought into the visitor's home
   * after its end. Files that are there are never replaced. @default false: it is removed
   */
  readonly keepSignIn?: boolean
}

/** A program that runs in its box. */
export interface AgentProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Its working folder: absolute as the agent sees it, empty, the session's own, removed after the end. */
  readonly cwd: string
  /** An operating-system sandbox whose probe passed is around it. Absent: no. */
  readonly boxed?: boolean
  /** Resolves when the program has ended, by itself or by `kill`. Never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>
  /**
   * Ends stdin, waits, SIGTERM, waits, SIGKILL, for the whole group; then removes its folders.
   * Idempotent, settles within 8 s, never rejects.
   */
  kill(): Promise<void>
}

/**
 * Starts a program in a box of its own.
 * @throws AgentError `unavailable` when there is no such program or it can't be started, `failed` when the box can't be built
 */
export type LaunchAgent = (launch: AgentLaunch) => Promise<AgentProcess>
