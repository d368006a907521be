// What is public. A red pin asks: deliberate?
import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports these names', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'SESSION_EVENTS',
    'SESSION_LIMITS',
    'SESSION_TABLE',
    'SessionManager',
    'createSessionManager',
    'transition',
  ])
})

it('has these events in a session’s life', () => {
  expect(entry.SESSION_EVENTS).toEqual([
    'approve',
    'started',
    'prompt',
    'turn_completed',
    'cancel_turn',
    'cancel',
    'close',
    'failed',
    'exited_clean',
    'exited_badly',
    'forgotten',
  ])
})
