/** Names and numbers of the wire, as literals. A red line here asks: is the change deliberate? */
import { describe, expect, it } from 'vitest'
import {
  ADDITIVE_EVENTS,
  ADMIN_EVENTS,
  adminEvent,
  errorBody,
  ERROR_STATUS,
  FINAL_EVENTS,
  SESSION_STATUSES,
  STOP_REASONS,
} from './index.js'
import * as browser from './browser.js'
import * as protocol from './index.js'

describe('the vocabulary', () => {
  it('has these codes and statuses', () => {
    expect(ERROR_STATUS).toEqual({
      bad_request: 400,
      not_paired: 401,
      unauthorized: 401,
      forbidden: 403,
      not_found: 404,
      expired: 410,
      too_large: 413,
      invalid_provider: 422,
      unusable: 422,
      unverified: 422,
      too_many: 429,
      over_budget: 429,
      conflict: 409,
      internal_error: 500,
      embedder_failed: 502,
      no_embedder: 503,
    })
  })

  it('shows only the codes on the wire that the page names, and three additive ones', () => {
    const shown = Object.keys(ERROR_STATUS).filter(
      (code) => 'code' in errorBody(code as keyof typeof ERROR_STATUS, 'words'),
    )
    expect(shown.sort()).toEqual(['internal_error', 'no_embedder', 'not_paired', 'over_budget', 'unverified'])
  })

  it('has these states, ends and reasons', () => {
    expect(SESSION_STATUSES).toEqual(['pending_approval', 'running', 'idle', 'completed', 'cancelled', 'failed'])
    expect(FINAL_EVENTS).toEqual(['completed', 'cancelled', 'failed'])
    expect(STOP_REASONS).toEqual(['end_turn', 'max_tokens', 'max_turns', 'refusal', 'cancelled'])
    expect(ADDITIVE_EVENTS).toEqual(['status', 'usage'])
  })

  it('names every event of the feed once', () => {
    const named = adminEvent.def.options.map((option) => option.shape.event.def.values[0])
    expect(named).toEqual([...ADMIN_EVENTS])
  })

  it('exports to browsers nothing that it does not export', () => {
    expect(Object.keys(protocol)).toEqual(expect.arrayContaining(Object.keys(browser)))
  })
})
