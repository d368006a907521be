import { expect, it } from 'vitest'
import type { EventBody } from './run.fixture.js'
import { chatEvent } from './chat-events.js'

const call = { callId: 'c', name: 'find', args: { q: 1 } }
const provider = { id: 'bridge', label: 'Your AI', locality: 'device' } as const

it.each<[EventBody, unknown]>([
  [{ type: 'start', provider }, { type: 'ai_started' }],
  [
    { type: 'status', status: 'Loading' },
    { type: 'busy_with', text: 'Loading' },
  ],
  [
    { type: 'status', status: null },
    { type: 'busy_with', text: null },
  ],
  [
    { type: 'text-delta', text: 'a' },
    { type: 'text', text: 'a' },
  ],
  [{ type: 'reasoning-delta', text: 'hm' }, null],
  [
    { type: 'tool-call', ...call },
    { type: 'call_began', id: 'c', tool: 'find', args: { q: 1 } },
  ],
  [{ type: 'tool-input', ...call }, null],
  [
    { type: 'tool-result', ...call, outcome: { ok: true, result: 7 } },
    { type: 'call_ended', id: 'c', result: 7 },
  ],
  [
    { type: 'tool-result', ...call, outcome: { ok: false, error: 'No.' } },
    { type: 'call_failed', id: 'c', error: 'No.' },
  ],
  [
    { type: 'finish', text: 'a' },
    { type: 'ended', how: 'done' },
  ],
])('reads %j', (body, expected) => {
  expect(chatEvent({ ...body, turnId: 't', at: 0 })).toEqual(expected)
})
