/** The engine's JSON answers about sessions and embeddings, narrowed. `null`: not what the protocol page promises. */
import type { EmbedReply, PrepareReply } from '@leuria/protocol/browser'
import { asText, fieldsOf } from './unknown-value.js'

/** What is used of 201 of `prepare`. */
export type Prepared = Pick<PrepareReply, 'sessionId' | 'registrationToken'>

export function readPrepared(body: unknown): Prepared | null {
  const { sessionId, registrationToken } = fieldsOf(body)
  // The id becomes part of paths.
  if (typeof sessionId !== 'string' || !/^[\w-]+$/.test(sessionId)) return null
  return typeof registrationToken === 'string' ? { sessionId, registrationToken } : null
}

/** What is used of `GET /session/:id`. `undefined`: unreadable. */
export function readSessionStatus(body: unknown): string | undefined {
  return asText(fieldsOf(body).status)
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}

/** @param count how many texts were sent: one vector each, or the answer is worth nothing */
export function readEmbed(body: unknown, count: number): EmbedReply | null {
  const { model, vectors } = fieldsOf(body)
  if (typeof model !== 'string' || !Array.isArray(vectors) || vectors.length !== count) return null
  return vectors.every(isVector) ? { model, vectors } : null
}
