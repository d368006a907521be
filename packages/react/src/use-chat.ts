/** One request at a time: a button that asks, a text that grows. */
import type { ChatRequest, ChatRun } from '@leuria/client'
import { useCallback, useState } from 'react'
import { type ChatState, ChatStore } from './chat-store.js'
import { useLeuria } from './context.js'
import { useEnd } from './use-end.js'
import { useSnapshot } from './use-snapshot.js'

export interface UseChatResult extends ChatState {
  /** Asks; what was asked before is stopped. A string is the prompt. What goes wrong is in `status` and `error`, too. */
  readonly start: <Checked = unknown, Output = Checked>(
    request: ChatRequest<Checked, Output> | string,
  ) => ChatRun<Output>
  readonly stop: () => void
}

const whole = (state: ChatState): ChatState => state

/** Stopped when the component or the page goes. `start` and `stop` keep their identity. */
export function useChat(): UseChatResult {
  const client = useLeuria()
  const [store] = useState(() => new ChatStore())
  const start = useCallback(
    <Checked, Output>(request: ChatRequest<Checked, Output> | string) =>
      store.start<Checked, Output>(client, typeof request === 'string' ? { prompt: request } : request),
    [client, store],
  )
  useEnd(store.stop)
  return { ...useSnapshot(store, { select: whole }), start, stop: store.stop }
}
