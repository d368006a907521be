/**
 * What is particular to one agent, as data: how its own tools are switched off, how it is told things, how it names tools.
 * One file each in `profiles/`, with the versions it was checked against; `find-profile.ts` chooses.
 */
import type { JsonObject, SignInPath } from '@leuria/agent'

/** What a session wants of its agent. */
export interface SessionWishes {
  readonly systemPrompt?: string
  readonly maxTurns?: number
}

/** What an agent is started with, on top of its command. */
export interface LaunchParts {
  readonly args?: readonly string[]
  /** A word of its command before which `args` must stand. @default they stand at the end */
  readonly before?: string
  /** May hold `{private}`, as may the texts of `files`. */
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** What a `rawInput` says of its call. */
export interface ReadInput {
  /** The tool, in one of the exact forms. Absent: another message about the call tells it. */
  readonly name?: string
  /** Its arguments, as far as they are shown. */
  readonly input?: unknown
}

export interface AgentProfile {
  /** For people who read it: "Claude Code". */
  readonly name: string
  /** Ids of the registry, older ones too. Empty: for agents that nobody has looked at. */
  readonly agentIds: readonly string[]
  /**
   * Versions it was driven with and found to hold to. An entry is a version or the beginning of one, up to a dot.
   * An agent of another version is started only in a sandbox, or when the visitor insists.
   */
  readonly checkedVersions: readonly string[]
  /** What this profile switches off and what stays, in a sentence or two, for people. */
  readonly switchesOff: string
  /** Pure. What the program is started with. */
  launch?(wishes: SessionWishes): LaunchParts
  /** Pure. `_meta` of `session/new`. */
  sessionMeta?(wishes: SessionWishes): JsonObject
  /** Who puts the system prompt where: `profile` (its `launch` or `sessionMeta` does), or a prefix of the first prompt. */
  readonly systemPrompt: 'profile' | 'prefix'
  /** Who holds the agent to `maxTurns`: `profile`, or this client by counting calls. */
  readonly maxTurns: 'profile' | 'count'
  /** The mode in which it asks before it acts, by id; set when the agent has it. */
  readonly mode?: string
  /** Its own tools that do nothing outside it (tool search, plans, code that only calls tools). */
  readonly ownTools: readonly string[]
  /** Names of what it calls deferred tools through; nothing by themselves. */
  readonly wrappers?: readonly string[]
  /**
   * Pure. Which tool a `rawInput` is of, and its arguments, where the agent's own code writes that and no model can.
   * `names`: what the call is named elsewhere. `null`: it isn't such an input. All inputs of one call must agree.
   */
  readonly readInput?: (rawInput: Readonly<Record<string, unknown>>, names: ReadonlySet<string>) => ReadInput | null
  /** `display_name`: titles are the tools' MCP titles. @default one of the exact forms */
  readonly titles?: 'display_name'
  /** Whole pieces of its text that its own code wrote, not its model: they go to the log. */
  readonly notices?: RegExp
  /** It shows arguments as JSON text. */
  readonly argumentsAsText?: boolean
  /** It has been seen to keep sessions of one process apart. */
  readonly sharesProcess: boolean
  /** What it needs of the visitor's home to be signed in. */
  readonly signIn: readonly SignInPath[]
}
