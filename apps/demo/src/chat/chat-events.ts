/** What the SDK's events of a run mean for the chat. Pure. Ends by an error aren't here: what they mean depends on why. */
import type { RunEvent } from '@leuria/client'
import type { ChatEvent } from './chat-state.js'

/** `null`: it means nothing here. */
export function chatEvent(event: RunEvent): ChatEvent | null {
  switch (event.type) {
    case 'start':
      return { type: 'ai_started' }
    case 'status':
      return { type: 'busy_with', text: event.status }
    case 'text-delta':
      return { type: 'text', text: event.text }
    case 'tool-call':
      return { type: 'call_began', id: event.callId, tool: event.name, args: event.args }
    case 'tool-result':
      return event.outcome.ok
        ? { type: 'call_ended', id: event.callId, result: event.outcome.result }
        : { type: 'call_failed', id: event.callId, error: event.outcome.error }
    case 'finish':
      return { type: 'ended', how: 'done' }
    case 'reasoning-delta':
    case 'tool-input':
    case 'error':
      return null
  }
}
