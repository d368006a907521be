// The window asks and is told at the same time: whatever overtakes what, nothing that is known gets lost.
import type { AdminActivity, AdminEvent, AdminPairing } from '@leuria/protocol'
import { describe, expect, it } from 'vitest'
import { applyRead } from './apply-read.js'
import { applyEvent, MOST_ACTIVITY, NOTHING_YET, type Part, type WindowState } from './window-state.js'

const question = (requestId: string): AdminPairing => ({
  requestId,
  origin: 'https://shop.example',
  agent: 'demo',
  expiresAt: '2026-11-30T12:00:00.000Z',
  approveUrl: `http://127.0.0.1:1/connect/${requestId}`,
})
const asked = (requestId: string): AdminEvent => ({ event: 'pairing', ...question(requestId) })
const second = (at: number): string => `2026-11-30T12:00:${String(at).padStart(2, '0')}.000Z`
const line = (at: number, id?: string): AdminActivity => ({
  at: second(at),
  kind: 'session_started',
  origin: 'https://shop.example',
  ...(id === undefined ? {} : { id }),
})

/** An answer that was on its way while these came. */
function overtaken(part: Part, found: Partial<WindowState>, told: readonly AdminEvent[]): WindowState {
  return applyRead(told.reduce(applyEvent, NOTHING_YET), { part, found, told })
}

describe('an answer that was overtaken', () => {
  it('takes no question away that has come since', () => {
    const state = overtaken('status', { questions: [question('a')] }, [asked('b')])
    expect(state.questions.map(({ requestId }) => requestId)).toEqual(['a', 'b'])
  })

  it('brings no question back that was answered since', () => {
    const decided: AdminEvent = {
      event: 'pairing_decided',
      origin: 'https://shop.example',
      requestId: 'a',
      allowed: true,
    }
    expect(overtaken('status', { questions: [question('a')] }, [decided]).questions).toEqual([])
  })

  it('tells each warning once, whichever way it came first', () => {
    const warning = { at: second(1), message: 'The disk is full.' }
    const told: AdminEvent[] = [{ event: 'warning', ...warning }]
    expect(overtaken('status', { warnings: [] }, told).warnings).toEqual([warning])
    expect(overtaken('status', { warnings: [warning] }, told).warnings).toEqual([warning])
  })

  it('leaves limits and today’s use as they were told', () => {
    const limits = [{ origin: 'https://shop.example', turns: 3 }]
    expect(overtaken('limits', { limits: [] }, [{ event: 'limits', limits }]).limits).toEqual(limits)
    const sites = [{ origin: 'local' as const, turns: 2, tokens: 2, estimatedTokens: 0 }]
    const state = overtaken('usage', { usage: { days: [] } }, [{ event: 'usage', day: '2026-11-30', sites }])
    expect(state.usage?.days).toEqual([{ day: '2026-11-30', sites }])
  })

  it('says nothing of other parts', () => {
    const told: AdminEvent[] = [{ event: 'signin_url', id: 'claude', url: 'https://sign.example' }]
    const seen = { ...told.reduce(applyEvent, NOTHING_YET), signInUrl: null }
    expect(applyRead(seen, { part: 'status', found: { questions: [] }, told }).signInUrl).toBeNull()
  })
})

describe('the log', () => {
  const told = (at: number): AdminEvent => ({ event: 'activity', ...line(at) })

  it('keeps lines that were told and aren’t written yet', () => {
    const state = overtaken('log', { activity: [line(1, 'a')] }, [told(2)])
    expect(state.activity).toEqual([line(2), line(1, 'a')])
  })

  it('has a line once that was told and is written', () => {
    const state = overtaken('log', { activity: [line(2, 'b'), line(1, 'a')] }, [told(2)])
    expect(state.activity).toEqual([line(2, 'b'), line(1, 'a')])
  })

  it('is in the order of time, whatever is missing in it', () => {
    const before = [told(1), told(3)].reduce(applyEvent, NOTHING_YET)
    const state = applyRead(before, { part: 'log', found: { activity: [line(2, 'b'), line(0, 'a')] }, told: [] })
    expect(state.activity.map(({ at }) => at)).toEqual([3, 2, 1, 0].map(second))
  })

  it('forgets what is older than all that was read, and what is too much', () => {
    const old = overtaken('log', { activity: [line(5, 'a')] }, [told(1)])
    expect(old.activity).toEqual([line(5, 'a')])
    const full = Array.from({ length: MOST_ACTIVITY }, (_, at) => line(1, `${at}`))
    expect(overtaken('log', { activity: full }, [told(2)]).activity).toHaveLength(MOST_ACTIVITY)
  })
})
