import { expect, it } from 'vitest'
import { callEvent, chatEvents } from './chat-events.js'

it.each([
  [{ event: 'chunk', data: 'a' }, [{ type: 'text', text: 'a' }]],
  [{ event: 'turn_start', data: null }, [{ type: 'ai_started' }]],
  [{ event: 'status', data: { text: 'Loading' } }, [{ type: 'busy_with', text: 'Loading' }]],
  [{ event: 'thought', data: 'hm' }, []],
  [{ event: 'log', data: 'noise' }, []],
  [{ event: 'failed', data: 'x' }, []],
  [{ event: 'reconnecting', data: { link: 'stream', attempt: 1 } }, [{ type: 'reconnecting' }]],
  [
    { event: 'tool_call', data: { toolCallId: '1', toolName: 'mcp__webmcp__find', status: 'in_progress' } },
    [{ type: 'call_reported', id: '1', tool: 'find', status: 'running' }],
  ],
  [{ event: 'tool_call', data: { toolCallId: '1', toolName: 'x', status: 'pending' } }, []],
  [{ event: 'tool_call', data: { toolCallId: '1' } }, []],
  [{ event: 'turn_completed', data: { text: '', durationMs: 1 } }, [{ type: 'ended', how: 'done' }]],
  [
    { event: 'turn_completed', data: { text: '', durationMs: 1, stopReason: 'cancelled' } },
    [{ type: 'ended', how: 'stopped' }],
  ],
] as const)('reads %j', (event, expected) => {
  expect(chatEvents(event)).toEqual(expected)
})

it.each(['max_turns', 'max_tokens', 'refusal'] as const)('says what %s means', (stopReason) => {
  const [event] = chatEvents({ event: 'turn_completed', data: { text: '', durationMs: 1, stopReason } })
  expect(event).toMatchObject({ type: 'ended', how: 'done', notice: expect.stringMatching(/\.$/) as string })
})

it('reads the page’s own reports', () => {
  expect(callEvent({ kind: 'failed', callId: 'c', tool: 't', error: 'No.' })).toEqual({
    ...{ type: 'call_failed', id: 'c', error: 'No.' },
  })
})
