import { describe, expect, it } from 'vitest'
import { CONNECTION_TABLE, type ConnectionEvent, type ConnectionStatus } from './connection-state.js'
import { LINK_TABLE, type LinkEvent, type LinkStatus } from './reconnector.js'
import { SESSION_TABLE, type SessionPhase, type SessionStep } from './session-state.js'

/** Every pair of a table, `-` where nothing changes. Whoever changes a table changes this on purpose. */
function whole(table: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>, events: readonly string[]) {
  return Object.fromEntries(
    Object.entries(table).map(([from, row]) => [from, events.map((event) => row[event] ?? '-').join(' ')]),
  )
}

describe('the state tables', () => {
  it('moves a connection', () => {
    const events: Record<ConnectionEvent, true> = {
      healthy: true,
      unreachable: true,
      forgotten: true,
      found: true,
      asked: true,
      unreached: true,
      reached: true,
      allowed: true,
      denied: true,
      gave_up: true,
      cancelled: true,
      kept: true,
    }
    const expected: Record<ConnectionStatus, string> = {
      checking: 'connected not-running not-connected - connecting - - - - - - -',
      'not-connected': '- - - connected connecting - - - - - - checking',
      connecting: '- - - connected - not-running - connected declined not-connected not-connected -',
      'not-running':
        'connected not-running not-connected connected connecting - connecting connected declined not-running not-connected checking',
      declined: 'connected - not-connected connected connecting - - - - - - checking',
      connected: 'connected not-running not-connected - connecting - - - - - - -',
    }
    expect(whole(CONNECTION_TABLE, Object.keys(events))).toEqual(expected)
  })

  it('moves a session', () => {
    const steps: Record<SessionStep, true> = {
      ready: true,
      prompted: true,
      refused: true,
      turn_began: true,
      turn_ended: true,
      final: true,
    }
    const expected: Record<SessionPhase, string> = {
      starting: 'idle - - running idle ended',
      idle: '- running - running - ended',
      running: '- - idle - idle ended',
      ended: '- - - - - -',
    }
    expect(whole(SESSION_TABLE, Object.keys(steps))).toEqual(expected)
  })

  it('moves a stream and a channel', () => {
    const events: Record<LinkEvent, true> = { opened: true, dropped: true, due: true, over: true }
    const expected: Record<LinkStatus, string> = {
      connecting: 'open waiting - closed',
      open: '- waiting - closed',
      waiting: '- - connecting closed',
      closed: '- - - -',
    }
    expect(whole(LINK_TABLE, Object.keys(events))).toEqual(expected)
  })
})
