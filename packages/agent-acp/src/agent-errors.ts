/** What goes wrong with an agent's program and its answers → `AgentError`s with words for people. Translated here only. */
import { AgentError, type AgentErrorCode } from '@leuria/agent'
import { DeadlineError } from '@leuria/clock'
import { plainWords } from './plain-words.js'
import { rpcError } from './wire-shapes.js'

/** ACP's own code for "sign in first". */
const AUTH_REQUIRED = -32000
const MAX_DETAIL_LENGTH = 300

export interface AgentName {
  readonly id: string
  readonly name: string
}

/** What a request ended with: the agent's own error, or a limit. */
export function fromAnswer(agent: AgentName, error: unknown): AgentError {
  if (error instanceof AgentError) return error
  if (error instanceof DeadlineError) {
    const seconds = Math.round(error.limitMs / 1_000)
    return new AgentError('timed_out', `${agent.name} did not answer within ${seconds} seconds.`, { cause: error })
  }
  const read = rpcError.safeParse(error)
  if (!read.success) return new AgentError('failed', `${agent.name} could not be asked.`, { cause: error })
  const code = codeOf(read.data)
  return new AgentError(code, sentence(agent, { code, detail: detailOf(read.data) }), { cause: error })
}

export function signedOut({ id, name }: AgentName, cause?: unknown): AgentError {
  return new AgentError('signed_out', `${name} wants you to sign in first. Run: leuria login ${id}`, { cause })
}

export function isSignedOut(error: unknown): boolean {
  const read = rpcError.safeParse(error)
  return read.success && codeOf(read.data) === 'signed_out'
}

/** By code and structure; only then by the words of agents that use a general code for everything. */
function codeOf({ code, message, data }: { code: number; message: string; data?: unknown }): AgentErrorCode {
  const status = statusOf(data) ?? code
  if (status === 401) return 'signed_out'
  if (status === 429) return 'rate_limited'
  if (code === AUTH_REQUIRED) return 'signed_out'
  return code === -32603 && /(?:please (?:log|sign) ?in|not (?:logged|signed) in|\/login)\b/i.test(message)
    ? 'signed_out'
    : 'failed'
}

function statusOf(data: unknown): number | null {
  if (typeof data !== 'object' || data === null) return null
  const { status, statusCode, code }: { status?: unknown; statusCode?: unknown; code?: unknown } = data
  for (const value of [status, statusCode, code]) if (typeof value === 'number') return value
  return null
}

function sentence(agent: AgentName, { code, detail }: { code: AgentErrorCode; detail: string }): string {
  if (code === 'signed_out') return signedOut(agent).message
  if (code === 'rate_limited') return `${agent.name} asks to slow down: ${detail}`
  return `${agent.name} reported a problem: ${detail}`
}

/** One line; agents put the useful part in `data` as often as in `message`. */
function detailOf({ message, data }: { message: string; data?: unknown }): string {
  const more =
    typeof data === 'string'
      ? data
      : typeof data === 'object' && data !== null && 'details' in data && typeof data.details === 'string'
        ? data.details
        : ''
  const text = [message, more].filter((part) => part.trim() !== '').join(': ')
  const line = plainWords(text.replace(/\s+/g, ' ')).trim().slice(0, MAX_DETAIL_LENGTH)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}

/** How a program ended, in words. */
export function exitWords(exit: { code: number | null; signal: string | null }): string {
  if (exit.signal !== null) return `was stopped (${exit.signal})`
  return exit.code === 0 ? 'ended' : `ended unexpectedly (code ${exit.code ?? 'unknown'})`
}
