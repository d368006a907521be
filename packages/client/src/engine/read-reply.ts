/** The engine's JSON answers, narrowed. `null`: not what the protocol page promises, so not from a Leuria that we know. */
import type { ClaimReply, EmbedReply, HealthReply, PrepareReply } from '@leuria/protocol/browser'
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
    paired: body.paired !== false,
  }
}

export function readClaim(body: unknown): ClaimReply | null {
  if (!isFields(body)) return null
  const { status, token } = body
  if (status === 'pending' || status === 'denied') return { status }
  return status === 'allowed' && typeof token === 'string' && token !== '' ? { status, token } : null
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

/** What is used of `GET /session/:id`. `undefined`: unreadable. */
export function readSessionStatus(body: unknown): string | undefined {
  return isFields(body) ? asText(body.status) : undefined
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
