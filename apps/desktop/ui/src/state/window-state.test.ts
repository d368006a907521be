/** What the window shows after an event, and what it has to read anew. How it looks: `e2e/window.test.ts`. */
import { ADMIN_EVENTS, type AdminEvent } from '@leuria/protocol'
import { describe, expect, it } from 'vitest'
import {
  applyEvent,
  MOST_ACTIVITY,
  MOST_WARNINGS,
  NOTHING_YET,
  PARTS,
  STALE,
  type WindowState,
} from './window-state.js'

const after = (events: readonly AdminEvent[], from: WindowState = NOTHING_YET): WindowState =>
  events.reduce(applyEvent, from)

function question(requestId: string, app = 'Shop'): AdminEvent {
  return { event: 'pairing', requestId, origin: `https://${requestId}.example`, app, approveUrl: 'http://127.0.0.1/' }
}

describe('an event', () => {
  it('of every kind says what it makes stale', () => {
    expect(Object.keys(STALE).sort()).toEqual([...ADMIN_EVENTS].sort())
    expect(STALE.open).toEqual(PARTS)
    expect(STALE.reset).toEqual(PARTS)
  })

  it('that repeats a question keeps its place', () => {
    const state = after([question('a'), question('b'), question('a', 'Shop 2')])
    expect(state.questions.map(({ requestId, app }) => [requestId, app])).toEqual([
      ['a', 'Shop 2'],
      ['b', 'Shop'],
    ])
  })

  it.each(['pairing_decided', 'pairing_expired'] as const)('%s takes the question away', (event) => {
    const over = { event, requestId: 'a', origin: 'https://a.example', allowed: true }
    expect(after([question('a'), question('b'), over]).questions.map(({ requestId }) => requestId)).toEqual(['b'])
  })

  it('of a session is kept until it has ended', () => {
    const session = (status: 'idle' | 'running' | 'completed'): AdminEvent => ({
      event: 'session',
      sessionId: 's',
      origin: 'https://a.example',
      status,
    })
    expect([...after([session('idle'), session('running')]).sessions]).toEqual([
      ['s', { origin: 'https://a.example', status: 'running' }],
    ])
    expect(after([session('idle'), session('completed')]).sessions.size).toBe(0)
    expect(after([session('idle'), { event: 'reset' }]).sessions.size).toBe(0)
  })

  it.each([MOST_WARNINGS, MOST_WARNINGS + 1])('warns so often that %d are told, the last of them kept', (many) => {
    const warnings = Array.from({ length: many }, (_, at): AdminEvent => ({
      event: 'warning',
      at: '',
      message: `${at}`,
    }))
    const state = after(warnings)
    expect(state.warnings).toHaveLength(MOST_WARNINGS)
    expect(state.warnings.at(-1)?.message).toBe(`${many - 1}`)
  })

  it.each([MOST_ACTIVITY, MOST_ACTIVITY + 1])('of activity comes first, and of %d the newest stay', (many) => {
    const lines = Array.from({ length: many }, (_, at): AdminEvent => ({ event: 'activity', at: `${at}`, kind: 'x' }))
    const state = after(lines)
    expect(state.activity).toHaveLength(MOST_ACTIVITY)
    expect(state.activity[0]).toMatchObject({ at: `${many - 1}` })
  })

  it('of today’s use replaces today and puts a new day first', () => {
    const usage: WindowState = { ...NOTHING_YET, usage: { days: [{ day: '2026-11-30', sites: [] }] } }
    const used = (day: string): AdminEvent => ({
      event: 'usage',
      day,
      sites: [{ origin: 'local', turns: 1, tokens: 2, estimatedTokens: 0 }],
    })
    expect(after([used('2026-11-30')], usage).usage?.days).toHaveLength(1)
    expect(after([used('2026-12-01')], usage).usage?.days.map(({ day }) => day)).toEqual(['2026-12-01', '2026-11-30'])
    expect(after([used('2026-11-30')]).usage).toBeNull()
  })

  it('that says nothing new changes nothing', () => {
    expect(applyEvent(NOTHING_YET, { event: 'site', origin: 'https://a.example', change: 'added' })).toBe(NOTHING_YET)
  })
})
