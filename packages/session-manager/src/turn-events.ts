/** What an AI reports, as the page's events (Stream events). Everything passes through; only `turn_end` is the session's. */
import type { TurnEvent } from '@leuria/agent'
import type { SessionStream } from './session-stream.js'

export function forwardEvent(stream: SessionStream, event: Exclude<TurnEvent, { type: 'turn_end' }>): void {
  switch (event.type) {
    case 'text':
      stream.emit('chunk', event.text)
      return
    case 'thought':
      stream.emit('thought', event.text)
      return
    case 'tool_call': {
      const { type: _type, ...data } = event
      stream.emit('tool_call', data)
      return
    }
    case 'permission':
      stream.emit('permission', { toolName: event.toolName, allow: event.allow })
      return
    case 'status':
      stream.emit('status', { text: event.text })
      return
    case 'usage':
      stream.emit('usage', { inputTokens: event.inputTokens, outputTokens: event.outputTokens })
      return
  }
}
