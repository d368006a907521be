/** How this site stands with the engine, asked once (Health). */
import { LeuriaNotRunningError, toLeuriaError } from '../errors.js'
import type { Connection } from './connection-state.js'
import type { EngineHttp } from './engine-http.js'
import { type Health, readHealth } from './read-reply.js'
import type { TokenStore } from './token-store.js'

/** "check /health with a short timeout" (Conformance). */
export const DETECT_LIMIT_MS = 1_500

/**
 * `unpaired`: this site has no token, or no longer a valid one. `offline`: no answer, so not running.
 * `ready`: connected. `agent` is the AI's plain name, `embed` the embedding model, if there is one.
 */
export type DetectResult =
  { status: 'unpaired' } | { status: 'offline' } | { status: 'ready'; version: string; agent?: string; embed?: string }

export interface DetectParts {
  http: EngineHttp
  tokens: TokenStore
  connection: Connection
}

/** Never rejects. */
export async function detect(parts: DetectParts, timeoutMs = DETECT_LIMIT_MS): Promise<DetectResult> {
  const { http, tokens, connection } = parts
  const token = tokens.get()
  if (token === null) return { status: 'unpaired' }
  try {
    const health = readHealth(await http.request('/health', { timeoutMs }))
    // Another token now: this answer is about the old one.
    if (tokens.get() !== token) return await detect(parts, timeoutMs)
    if (health === null) throw new LeuriaNotRunningError()
    return note(parts, health, token)
  } catch (error) {
    if (tokens.get() === null) return { status: 'unpaired' }
    connection.send('unreachable', { error: toLeuriaError(error) })
    return { status: 'offline' }
  }
}

function note({ tokens, connection }: DetectParts, health: Health, token: string): DetectResult {
  if (health.paired === false) {
    tokens.forget(token)
    return { status: 'unpaired' }
  }
  const { leuria: version, agent, embed, approvals } = health
  connection.send('healthy', { version, agent, embed, approvals })
  return { status: 'ready', version, agent, embed }
}
