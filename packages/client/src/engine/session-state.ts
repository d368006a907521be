/** Where a session is, as its page sees it (Sessions, Lifecycle). */

/** `starting`: the AI isn't up yet. `ended`: completed, cancelled or failed. */
export type SessionPhase = 'starting' | 'idle' | 'running' | 'ended'

export type SessionStep =
  /** The AI is up and has nothing to do. */
  | 'ready'
  /** The page sent a prompt. */
  | 'prompted'
  /** The engine didn't take it. */
  | 'refused'
  /** A turn began, or is seen to be under way. */
  | 'turn_began'
  | 'turn_ended'
  /** completed, cancelled, failed, or lost. */
  | 'final'

/** Phase × step → phase. Steps that aren't named change nothing. */
export const SESSION_TABLE: Readonly<Record<SessionPhase, Readonly<Partial<Record<SessionStep, SessionPhase>>>>> = {
  starting: { ready: 'idle', turn_began: 'running', turn_ended: 'idle', final: 'ended' },
  idle: { prompted: 'running', turn_began: 'running', final: 'ended' },
  running: { refused: 'idle', turn_ended: 'idle', final: 'ended' },
  ended: {},
}
