/** Trying an AI as a page would: what stands above this package does it. */
import type { AdminTestReply } from '@leuria/protocol'

export interface AiTestOptions {
  /** `null`: the default AI. */
  agent: string | null
  signal: AbortSignal
  onStep: (step: AdminTestReply['steps'][number]) => void
  /** What the AI is busy with. */
  onStatus: (text: string) => void
}

/** What the AI does wrong is in the reply. */
export type AiTest = (options: AiTestOptions) => Promise<AdminTestReply>
