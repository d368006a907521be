import { isLive, SESSION_STATUSES, type SessionStatus } from '@leuria/protocol'
import { describe, expect, it } from 'vitest'
import { SESSION_EVENTS, SESSION_TABLE, type SessionEvent, type Transition, transition } from './index.js'

/** One cell in short: `-` nothing, `400` refused, otherwise the next state and its effects. */
function short(cell: Transition): string {
  if (cell.kind === 'stay') return '-'
  return cell.kind === 'refuse' ? '400' : [cell.to, ...cell.effects].join(' ')
}

/** The whole table, once more and by hand: a red cell asks "deliberate?". */
const EXPECTED: Record<SessionStatus, Record<SessionEvent, string>> = {
  pending_approval: {
    approve: 'running start',
    started: '-',
    prompt: '400',
    turn_completed: '-',
    cancel_turn: '-',
    cancel: 'cancelled end',
    close: 'completed end',
    failed: 'failed end',
    exited_clean: '-',
    exited_badly: 'failed end',
    forgotten: 'cancelled end',
  },
  running: {
    approve: '400',
    started: 'idle say_ready',
    prompt: '400',
    turn_completed: 'idle complete_turn',
    cancel_turn: 'idle stop_turn complete_turn',
    cancel: 'cancelled end',
    close: 'completed end',
    failed: 'failed end',
    exited_clean: 'failed end',
    exited_badly: 'failed end',
    forgotten: 'cancelled end',
  },
  idle: {
    approve: '400',
    started: '-',
    prompt: 'running begin_turn',
    turn_completed: '-',
    cancel_turn: '-',
    cancel: 'cancelled end',
    close: 'completed end',
    failed: 'failed end',
    exited_clean: 'completed end',
    exited_badly: 'failed end',
    forgotten: 'cancelled end',
  },
  completed: ended(),
  cancelled: ended(),
  failed: ended(),
}

function ended(): Record<SessionEvent, string> {
  return {
    approve: '400',
    started: '-',
    prompt: '400',
    turn_completed: '-',
    cancel_turn: '-',
    cancel: '-',
    close: '-',
    failed: '-',
    exited_clean: '-',
    exited_badly: '-',
    forgotten: '-',
  }
}

describe('the table of a session’s life', () => {
  it.each(SESSION_STATUSES)('is what it is meant to be: %s', (status) => {
    const row = Object.fromEntries(SESSION_EVENTS.map((event) => [event, short(transition(status, event))]))
    expect(row).toEqual(EXPECTED[status])
  })

  it('leaves an ended session for good', () => {
    const ends = SESSION_STATUSES.filter((status) => !isLive(status))
    const moves = ends.flatMap((status) => Object.values(SESSION_TABLE[status]).filter(({ kind }) => kind === 'move'))
    expect(moves).toEqual([])
  })

  it('says why in every refusal, in a whole sentence', () => {
    const cells = SESSION_STATUSES.flatMap((status) => Object.values(SESSION_TABLE[status]))
    const reasons = cells.flatMap((cell) => (cell.kind === 'refuse' ? [cell.reason] : []))
    expect(reasons).toHaveLength(10)
    for (const reason of reasons) expect(reason).toMatch(/^(The|A) .+\.$/)
  })

  it('ends with the same effect whatever the way', () => {
    const cells = SESSION_STATUSES.flatMap((status) => Object.values(SESSION_TABLE[status]))
    const ends = cells.filter((cell) => cell.kind === 'move' && !isLive(cell.to))
    expect(ends.every((cell) => cell.kind === 'move' && cell.effects.join() === 'end')).toBe(true)
  })
})
