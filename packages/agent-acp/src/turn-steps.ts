/** What each message means in each phase of a turn (ACP, Prompt turn: cancellation), as a table. Pure. */

export type TurnPhase =
  /** The prompt was sent. */
  | 'open'
  /** The agent was told to stop and hasn't answered. */
  | 'cancelling'
  /** It has ended for whoever asked; what still comes belongs to nobody. */
  | 'over'

export type TurnInput =
  /** A piece of the answer, of its reasoning, a step of its plan. */
  | 'speech'
  /** A tool call, or a change of one. */
  | 'tool'
  | 'usage'
  | 'permission'
  /** Whoever asked wants no more. */
  | 'abort'
  /** The agent's answer to the prompt. */
  | 'answer'
  /** The agent's error for the prompt, its end, or a limit. */
  | 'failure'

export type TurnStep =
  'report' | 'drop' | 'decide' | 'answer_cancelled' | 'begin_cancel' | 'end' | 'end_cancelled' | 'end_failed'

export const TURN_STEPS: Readonly<Record<TurnPhase, Readonly<Record<TurnInput, TurnStep>>>> = {
  open: {
    speech: 'report',
    tool: 'report',
    usage: 'report',
    permission: 'decide',
    abort: 'begin_cancel',
    answer: 'end',
    failure: 'end_failed',
  },
  cancelling: {
    speech: 'drop',
    // How its calls ended is still news to whoever shows them.
    tool: 'report',
    usage: 'report',
    permission: 'answer_cancelled',
    abort: 'drop',
    // Whatever stop reason the agent gives: it was stopped (FC-16).
    answer: 'end_cancelled',
    failure: 'end_failed',
  },
  over: {
    speech: 'drop',
    tool: 'drop',
    usage: 'drop',
    permission: 'decide',
    abort: 'drop',
    answer: 'drop',
    failure: 'drop',
  },
}
