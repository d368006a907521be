/**
 * The life of a session as a table: state × event → what happens (Sessions, Lifecycle).
 * Pure: decides the next state and names the effects; `session.ts` carries them out.
 */
import { isLive, type SessionStatus } from '@leuria/protocol'

export const SESSION_EVENTS = [
  /** The page's `approve`. */
  'approve',
  /** The AI is up. */
  'started',
  /** The page's `prompt`, already checked. */
  'prompt',
  /** The AI ended the turn in order. */
  'turn_completed',
  /** The page's `cancel-turn`, while there is a turn. */
  'cancel_turn',
  /** The page's `cancel`; also the engine's own end of a session (a revoked grant, another AI chosen, shutdown). */
  'cancel',
  /** The page's `close`. */
  'close',
  /** The AI could not start, the turn could not be carried out, or the engine failed. */
  'failed',
  /** The AI ended by itself with exit code 0. */
  'exited_clean',
  /** The AI ended by itself in any other way. */
  'exited_badly',
  /** Nobody has cared for the session for too long. */
  'forgotten',
] as const
export type SessionEvent = (typeof SESSION_EVENTS)[number]

export type SessionEffect =
  /** Send `webmcp_ready`, start the AI, and begin the first turn if there is a prompt. */
  | 'start'
  /** Send `ready`: the AI is up and has nothing to do. */
  | 'say_ready'
  /** Hand the prompt to the AI, once it is up and has settled. */
  | 'begin_turn'
  /** Send `turn_completed` with what there is. */
  | 'complete_turn'
  /** Tell the AI to stop the turn; nothing it still says is heard. */
  | 'stop_turn'
  /** Stop the AI, close the channel, send the final event, end the streams. */
  | 'end'

export type Transition =
  | { kind: 'move'; to: SessionStatus; effects: readonly SessionEffect[] }
  /** Nothing happens; a caller gets the status as it is. */
  | { kind: 'stay' }
  /** The caller gets 400 with the reason. */
  | { kind: 'refuse'; reason: string }

const stay: Transition = { kind: 'stay' }
const move = (to: SessionStatus, ...effects: readonly SessionEffect[]): Transition => ({ kind: 'move', to, effects })
const refuse = (reason: string): Transition => ({ kind: 'refuse', reason })

const endings = {
  cancel: move('cancelled', 'end'),
  close: move('completed', 'end'),
  failed: move('failed', 'end'),
  exited_badly: move('failed', 'end'),
  forgotten: move('cancelled', 'end'),
}

/** After its end a session answers, and changes no more. */
const ended = (how: string): Record<SessionEvent, Transition> => ({
  approve: refuse(`The session has ended (${how}).`),
  started: stay,
  prompt: refuse(`The session has ended (${how}): its AI is gone.`),
  turn_completed: stay,
  cancel_turn: stay,
  cancel: stay,
  close: stay,
  failed: stay,
  exited_clean: stay,
  exited_badly: stay,
  forgotten: stay,
})

export const SESSION_TABLE: Record<SessionStatus, Record<SessionEvent, Transition>> = {
  pending_approval: {
    ...endings,
    approve: move('running', 'start'),
    prompt: refuse('The session has not been approved yet.'),
    started: stay,
    turn_completed: stay,
    cancel_turn: stay,
    exited_clean: stay,
  },
  running: {
    ...endings,
    approve: refuse('The session has been approved already.'),
    started: move('idle', 'say_ready'),
    prompt: refuse('A turn is running: wait for its end, or cancel it first.'),
    turn_completed: move('idle', 'complete_turn'),
    cancel_turn: move('idle', 'stop_turn', 'complete_turn'),
    // Code 0 in the middle of a turn leaves an answer without its end: not a success.
    exited_clean: move('failed', 'end'),
  },
  idle: {
    ...endings,
    approve: refuse('The session has been approved already.'),
    // The turn was cancelled while the AI was starting: `turn_completed` has said that the session is idle.
    started: stay,
    prompt: move('running', 'begin_turn'),
    turn_completed: stay,
    cancel_turn: stay,
    exited_clean: move('completed', 'end'),
  },
  completed: ended('completed'),
  cancelled: ended('cancelled'),
  failed: ended('failed'),
}

/** What `event` does to a session in state `status`. */
export function transition(status: SessionStatus, event: SessionEvent): Transition {
  return SESSION_TABLE[status][event]
}

/** True once the page has approved the session and while it lives: a new stream is greeted with `webmcp_ready`. */
export function isApproved(status: SessionStatus): boolean {
  return isLive(status) && status !== 'pending_approval'
}
