/** The table itself: that it is whole, that each state can be reached and left, and what may never happen. */
import { describe, expect, it } from 'vitest'
import {
  type Effect,
  IS_NAMED,
  QUESTION_EVENTS,
  QUESTION_STATES,
  type QuestionEvent,
  type QuestionState,
  type Transition,
  TRANSITIONS,
} from './question-machine.js'

const CELLS: { from: QuestionState; event: QuestionEvent; transition: Transition }[] = QUESTION_STATES.flatMap((from) =>
  QUESTION_EVENTS.map((event) => ({ from, event, transition: TRANSITIONS[from][event] })),
)

function cellsWith(effect: Effect): string[] {
  return CELLS.filter(({ transition }) => transition.effects.includes(effect)).map(
    ({ from, event }) => `${from} ${event}`,
  )
}

/** Where each event leads; `.`: it changes nothing. */
const EXPECTED: Record<QuestionState, Record<QuestionEvent, QuestionState | '.'>> = {
  none: row({ ask: 'open', repeat: 'open' }),
  open: row({ allow: 'granting', deny: 'denied', expire: 'expired' }),
  granting: row({ issued: 'allowed', issue_failed: 'open' }),
  allowed: row({ claim: 'delivering', expire: 'expired', revoke: 'closed' }),
  delivering: row({ delivered: 'closed', lost: 'allowed', revoke: 'closed' }),
  denied: row({ claim: 'cooling', expire: 'cooling', cool: 'cooled' }),
  cooled: row({ ask: 'open', repeat: 'open', claim: 'closed', expire: 'closed' }),
  cooling: row({ cool: 'closed' }),
  expired: row({ ask: 'open', repeat: 'open', forget: 'none' }),
  closed: row({ ask: 'open', repeat: 'open', forget: 'none' }),
}

function row(moves: Partial<Record<QuestionEvent, QuestionState>>): Record<QuestionEvent, QuestionState | '.'> {
  const still = { ask: '.', repeat: '.', claim: '.', allow: '.', deny: '.', issued: '.', issue_failed: '.' } as const
  return { ...still, delivered: '.', lost: '.', expire: '.', cool: '.', forget: '.', revoke: '.', ...moves }
}

describe('the table of a question', () => {
  it.each(QUESTION_STATES)('leads on from %s as expected', (from) => {
    const actual = QUESTION_EVENTS.map((event) => {
      const { to } = TRANSITIONS[from][event]
      return [event, to === from ? '.' : to]
    })
    expect(Object.fromEntries(actual)).toEqual(EXPECTED[from])
  })

  it('does nothing where an event means nothing', () => {
    for (const { from, transition } of CELLS) {
      if (transition.reply !== 'ignored') continue
      expect(transition).toEqual({ to: from, reply: 'ignored', effects: [] })
    }
  })

  it('writes a grant only after a Yes to an open question', () => {
    expect(cellsWith('issue')).toEqual(['open allow'])
  })

  it('hands a token out only from a written grant, and never twice at once', () => {
    const tokens = CELLS.filter(({ transition }) => transition.reply === 'token')
    expect(tokens.map(({ from, event }) => `${from} ${event}`)).toEqual(['allowed claim'])
    expect(CELLS.filter(({ transition, from }) => transition.to === 'allowed' && from !== 'allowed')).toHaveLength(2)
  })

  it('ends every written grant in exactly one way', () => {
    expect(cellsWith('keep_grant')).toEqual(['delivering delivered'])
    expect(cellsWith('discard_grant')).toEqual(['allowed expire'])
    expect(cellsWith('drop_token')).toEqual(['allowed revoke', 'delivering revoke'])
  })

  it('asks the visitor only when there is nothing to answer or to collect', () => {
    const asking: Record<QuestionState, boolean> = {
      none: true,
      open: false,
      granting: false,
      allowed: false,
      delivering: false,
      denied: false,
      cooled: true,
      cooling: false,
      expired: true,
      closed: true,
    }
    for (const from of QUESTION_STATES) {
      for (const event of ['ask', 'repeat'] as const) {
        expect(TRANSITIONS[from][event].effects.includes('begin')).toBe(asking[from])
      }
    }
  })

  it('lets no claim wait in a state that no answer comes out of', () => {
    const waiting = CELLS.filter(({ transition }) => transition.reply === 'wait').map(({ from }) => from)
    expect(waiting).toEqual(['open', 'granting', 'delivering'])
  })

  it('names an origin exactly while something of it can still be answered or collected', () => {
    const named = QUESTION_STATES.filter((state) => IS_NAMED[state])
    expect(named).toEqual(['open', 'granting', 'allowed', 'delivering', 'denied', 'cooled'])
  })
})
