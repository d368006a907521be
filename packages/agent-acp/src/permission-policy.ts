/**
 * What is answered when an agent asks for permission (Security considerations: "The engine refuses any permission request
 * for a tool other than the page's"). Pure: a call, the page's tools and the options in, a decision out.
 */
import { argumentFaults } from '@leuria/page-tools'
import { TOOL_NAME_PREFIX } from '@leuria/protocol'
import type { PermissionAnswer } from './acp-connection.js'
import type { KnownCall } from './tool-call-book.js'
import { type IdentityContext, identifyTool, type ToolIdentity } from './tool-identity.js'
import type { PermissionOption } from './wire-shapes.js'

/** Why a decision is what it is. The first two allow. */
export const PERMISSION_REASONS = [
  'page_tool',
  'own_tool',
  /** The turn is being cancelled; nothing was decided. */
  'turn_cancelled',
  /** No turn is going on. */
  'no_turn',
  /** The call is over: its id is being used again. */
  'call_over',
  /** A permission was asked for this call before. */
  'asked_before',
  'not_a_page_tool',
  /** The arguments that the agent shows don't fit the tool's schema. */
  'arguments',
  /** There is no option to allow it once. */
  'no_allow_once',
] as const
export type PermissionReason = (typeof PERMISSION_REASONS)[number]

export interface PermissionDecision {
  readonly allow: boolean
  readonly reason: PermissionReason
  /** For the `permission` event and the log: the page's tool by its full name, or what is known of another. Never content. */
  readonly toolName: string
  readonly answer: PermissionAnswer
}

export interface PermissionQuestion extends IdentityContext {
  /** With what the request itself says. */
  call: KnownCall
  options: readonly PermissionOption[]
  turn: 'open' | 'cancelling' | 'none'
}

export function decidePermission(question: PermissionQuestion): PermissionDecision {
  const identity = identifyTool(question.call, question)
  const toolName = nameOf(identity, question.call)
  const once = question.options.find(({ kind }) => kind === 'allow_once')
  const reason = judge(question, identity)
  if (reason === 'turn_cancelled') return { allow: false, reason, toolName, answer: { outcome: 'cancelled' } }
  const allow = reason === 'page_tool' || reason === 'own_tool'
  if (allow && once !== undefined)
    return { allow, reason, toolName, answer: { outcome: 'selected', optionId: once.optionId } }
  return { allow: false, reason: allow ? 'no_allow_once' : reason, toolName, answer: refusal(question.options) }
}

function judge({ call, turn }: PermissionQuestion, identity: ToolIdentity): PermissionReason {
  if (turn === 'cancelling') return 'turn_cancelled'
  if (turn === 'none') return 'no_turn'
  if (call.over) return 'call_over'
  if (call.permission !== 'never_asked') return 'asked_before'
  if (identity.kind === 'own') return 'own_tool'
  if (identity.kind !== 'page') return 'not_a_page_tool'
  if (identity.shown.some((args) => argumentFaults(identity.tool, args) !== null)) return 'arguments'
  return 'page_tool'
}

/** `reject_once` lets the agent go on; without it the request is cancelled. Never anything for always. */
function refusal(options: readonly PermissionOption[]): PermissionAnswer {
  const reject = options.find(({ kind }) => kind === 'reject_once')
  return reject === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: reject.optionId }
}

const MAX_NAME_LENGTH = 100

export function nameOf(identity: ToolIdentity, call: KnownCall): string {
  if (identity.kind === 'page') return `${TOOL_NAME_PREFIX}${identity.tool.name}`
  return (identity.kind === 'unknown' ? (call.kind ?? 'unknown') : identity.name).slice(0, MAX_NAME_LENGTH)
}
