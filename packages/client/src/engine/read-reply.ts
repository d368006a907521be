/** The engine's JSON answers, narrowed. `null`: not what the protocol page promises, so not from a Leuria that we know. */
import type { ClaimReply, HealthReply } from '@leuria/protocol/browser'
import { asText, fieldsOf } from './unknown-value.js'

/** What is used of `GET /health`. */
export type Health = Pick<HealthReply, 'leuria' | 'paired' | 'embed'> & { agent?: string; approvals?: string }

export function readHealth(body: unknown): Health | null {
  const fields = fieldsOf(body)
  const leuria = asText(fields.leuria)
  if (leuria === undefined) return null
  return {
    leuria,
    agent: asText(fields.agent),
    approvals: asText(fields.approvals),
    embed: asText(fields.embed),
    paired: fields.paired !== false,
  }
}

export function readClaim(body: unknown): ClaimReply | null {
  const { status, token } = fieldsOf(body)
  if (status === 'pending' || status === 'denied') return { status }
  return status === 'allowed' && typeof token === 'string' && token !== '' ? { status, token } : null
}
