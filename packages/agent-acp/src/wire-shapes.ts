/**
 * The answers of agents (ACP v1), as far as this client reads them. The SDK doesn't check answers, and agents vary:
 * what isn't needed isn't asked for, what is wrong counts as absent.
 */
import * as z from 'zod/mini'
import { count, flag, list, part, record, text } from './lenient.js'

const texts = z.catch(z.optional(z.array(z.string())), undefined)
const environment = z.catch(z.optional(z.record(z.string(), z.string())), undefined)
const authMethod = z.object({
  id: z.string(),
  name: text,
  description: text,
  type: text,
  args: texts,
  env: environment,
  _meta: record,
})

export const initializeAnswer = z.object({
  protocolVersion: z.number(),
  agentInfo: part(z.object({ name: text, title: text, version: text })),
  authMethods: list,
  agentCapabilities: part(
    z.object({
      loadSession: flag,
      promptCapabilities: part(z.object({ image: flag, embeddedContext: flag })),
      mcpCapabilities: part(z.object({ http: flag, sse: flag })),
      sessionCapabilities: record,
    }),
  ),
})

export interface AuthMethod {
  readonly id: string
  readonly name?: string
  readonly description?: string
  /** `agent` (through `authenticate`), `terminal` (the program run in a terminal), or what else an agent says. */
  readonly type?: string
  /** Of a `terminal` method: what the agent's own command is run with. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly _meta?: Record<string, unknown>
}

/** What an agent said of itself at `initialize`. */
export interface AgentFacts {
  readonly protocolVersion: number
  readonly version?: string
  readonly authMethods: readonly AuthMethod[]
  readonly loadsSessions: boolean
  readonly images: boolean
  readonly httpTools: boolean
  /** Names of `sessionCapabilities`: `resume`, `close`, `list`, … */
  readonly session: ReadonlySet<string>
  /** How `session/new` takes a system prompt (ACP, unstable); `null`: it doesn't. */
  readonly systemPromptMode: 'override' | 'append' | null
}

/** @throws when it isn't an answer to `initialize` at all */
export function readAgentFacts(answer: unknown): AgentFacts {
  const { protocolVersion, agentInfo, authMethods, agentCapabilities: can } = initializeAnswer.parse(answer)
  return {
    protocolVersion,
    version: agentInfo?.version,
    authMethods: readList(authMethod, authMethods),
    loadsSessions: can?.loadSession === true,
    images: can?.promptCapabilities?.image === true,
    httpTools: can?.mcpCapabilities?.http === true,
    session: new Set(
      Object.entries(can?.sessionCapabilities ?? {}).flatMap(([name, value]) => (isThere(value) ? [name] : [])),
    ),
    systemPromptMode: readPromptMode(can?.sessionCapabilities?.systemPrompt),
  }
}

const promptModes = z.object({ mode: z.record(z.string(), z.unknown()) })

function readPromptMode(capability: unknown): 'override' | 'append' | null {
  const { success, data } = promptModes.safeParse(capability)
  if (!success) return null
  return isThere(data.mode.override) ? 'override' : isThere(data.mode.append) ? 'append' : null
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

const modes = part(z.object({ currentModeId: text, availableModes: list }))
const models = part(z.object({ currentModelId: text, availableModels: list }))

/** Of `session/new`, `load` and `resume`; the last two may answer nothing. */
export const sessionAnswer = z.object({ sessionId: text, configOptions: list, modes, models })
export type SessionAnswer = z.infer<typeof sessionAnswer>

/** `_meta.quota`: where Gemini has them. */
export const promptAnswer = z.object({
  stopReason: text,
  usage: part(z.object({ inputTokens: count, outputTokens: count })),
  _meta: part(
    z.object({ quota: part(z.object({ token_count: part(z.object({ input_tokens: count, output_tokens: count })) })) }),
  ),
})

export interface TokenCounts {
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export function readUsage({ usage, _meta }: z.infer<typeof promptAnswer>): TokenCounts | null {
  const quota = _meta?.quota?.token_count
  const { inputTokens = quota?.input_tokens, outputTokens = quota?.output_tokens } = usage ?? {}
  return inputTokens === undefined && outputTokens === undefined ? null : { inputTokens, outputTokens }
}

export const namedMode = z.object({ id: z.string() })

/** The entries that fit; the others are left out. */
export function readList<T extends z.ZodMiniType>(schema: T, entries: readonly unknown[] | undefined): z.infer<T>[] {
  return (entries ?? []).flatMap((entry) => {
    const read = schema.safeParse(entry)
    return read.success ? [read.data] : []
  })
}

export const permissionRequest = z.object({
  sessionId: text,
  toolCall: z.unknown(),
  options: list,
})

const permissionOption = z.object({ optionId: z.string(), kind: text })

export interface PermissionOption {
  readonly optionId: string
  readonly kind?: string
}

export function readOptions(options: readonly unknown[] | undefined): PermissionOption[] {
  return readList(permissionOption, options)
}

export const rpcError = z.object({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) })
