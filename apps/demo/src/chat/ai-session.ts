/** What the conversation needs of `@leuria/client`: a narrow view of it, so that tests can play the AI. */
import type { BridgeEvent, PageTool } from '@leuria/client'

export interface AiSession {
  readonly status: 'starting' | 'idle' | 'running' | 'ended'
  prompt(text: string): Promise<void>
  cancelTurn(): Promise<void>
  close(): Promise<void>
}

export interface AiSessionStart {
  prompt: string
  systemPrompt: string
  tools: readonly PageTool[]
  onEvent(event: BridgeEvent): void
  signal: AbortSignal
}

export interface AiSource {
  startSession(start: AiSessionStart): Promise<AiSession>
}
