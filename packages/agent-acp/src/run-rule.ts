/**
 * Where an agent may run: one that nobody has looked at may still have its own tools, so it needs walls, or the visitor's
 * word. Asked before a start where it can be told by then, and after it with what the agent says of itself.
 */
import { AgentError } from '@leuria/agent'
import type { AgentProfile } from './agent-profile.js'
import { isChecked } from './find-profile.js'

export interface RunRule {
  readonly id: string
  readonly name: string
  readonly profile: AgentProfile
  /** As installed; an agent that says its version is believed. */
  readonly version?: string
  /** The visitor's word. */
  readonly trusted: boolean
  /** False: no launch will be boxed. */
  readonly sandbox?: boolean
}

/** @throws AgentError `failed` for an agent that can't turn out to be a checked one, where there are no walls */
export function checkBeforeStart(rule: RunRule): void {
  const { profile, version, trusted, sandbox } = rule
  if (trusted || sandbox !== false) return
  const mayBeChecked = version === undefined ? profile.checkedVersions.length > 0 : isChecked(profile, version)
  if (!mayBeChecked) throw unchecked(rule, version)
}

/** @throws AgentError `failed` */
export function checkStarted(rule: RunRule, started: { version?: string; boxed?: boolean }): void {
  const version = started.version ?? rule.version
  if (rule.trusted || started.boxed === true || isChecked(rule.profile, version)) return
  throw unchecked(rule, version)
}

function unchecked({ id, name }: RunRule, version: string | undefined): AgentError {
  const which = version === undefined ? name : `${name} ${version}`
  return new AgentError(
    'failed',
    `${which} has not been checked with Leuria, so it may run only inside a sandbox, and this computer has none. To use it all the same, run leuria agents trust ${id}, or start Leuria with --trust ${id}`,
  )
}
