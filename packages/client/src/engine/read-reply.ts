/** The engine's JSON answers, narrowed. `null`: not what the protocol page promises, so not from a Leuria that we know. */
import type {
  ClaimReply,
  EmbedReply,
  HealthReply,
  PrepareReply,
  SessionInfo,
  SessionStatus,
} from '@leuria/protocol/browser'
import { SESSION_STATUSES } from '@leuria/protocol/browser'
import { asText, isFields } from './unknown-value.js'

/** What is used of `GET /health`. */
export type Health = Pick<HealthReply, 'leuria' | 'paired' | 'embed'> & { agent?: string; approvals?: string }

export function readHealth(body: unknown): Health | null {
  if (!isFields(body)) return null
  const leuria = asText(body.leuria)
  if (leuria === undefined) return null
  return {
    leuria,
    agent: asText(body.agent),
    approvals: asText(body.approvals),
    embed: asText(body.embed),
    paired: typeof body.paired === 'boolean' ? body.paired : undefined,
  }
}

export function readClaim(body: unknown): ClaimReply | null {
  if (!isFields(body)) return null
  const { status, token } = body
  if (status === 'pending' || status === 'denied') return { status }
  return status === 'allowed' && typeof token === 'string' && token !== '' ? { status, token } : null
}

function readStatus(value: unknown): SessionStatus | undefined {
  return SESSION_STATUSES.find((status) => status === value)
}

/** What is used of 201 of `prepare`. */
export type Prepared = Pick<PrepareReply, 'sessionId' | 'registrationToken'>

export function readPrepared(body: unknown): Prepared | null {
  if (!isFields(body)) return null
  const { sessionId, registrationToken } = body
  // The id becomes part of paths.
  if (typeof sessionId !== 'string' || !/^[\w-]+$/.test(sessionId)) return null
  return typeof registrationToken === 'string' ? { sessionId, registrationToken } : null
}

/** What is used of `GET /session/:id`. */
export type SessionFacts = Pick<SessionInfo, 'status' | 'error' | 'code'>

export function readSessionFacts(body: unknown): SessionFacts | null {
  if (!isFields(body)) return null
  const status = readStatus(body.status)
  return status === undefined ? null : { status, error: asText(body.error), code: asText(body.code) }
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}

/** @param count how many texts were sent: one vector each, or the answer is worth nothing */
export function readEmbed(body: unknown, count: number): EmbedReply | null {
  if (!isFields(body)) return null
  const { model, vectors } = body
  if (typeof model !== 'string' || !Array.isArray(vectors) || vectors.length !== count) return null
  return vectors.every(isVector) ? { model, vectors } : null
}
