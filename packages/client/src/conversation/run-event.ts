/** What a run tells while it goes on. Shapes only. */
import type { LeuriaError } from '../errors.js'
import type { ProviderInfo } from '../provider/provider.js'
import type { ToolOutcome } from '../tool/tool.js'

interface Stamped<Type extends string> {
  readonly type: Type
  readonly turnId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export type RunEvent =
  | (Stamped<'start'> & { readonly provider: ProviderInfo })
  /** Plain words about what goes on; `null`: nothing to say. */
  | (Stamped<'status'> & { readonly status: string | null })
  | (Stamped<'text-delta'> & { readonly text: string })
  | (Stamped<'reasoning-delta'> & { readonly text: string })
  | (Stamped<'tool-call'> & { readonly callId: string; readonly name: string; readonly args: unknown })
  /** The visitor has to answer this call. */
  | (Stamped<'tool-input'> & { readonly callId: string; readonly name: string; readonly args: unknown })
  | (Stamped<'tool-result'> & { readonly callId: string; readonly name: string; readonly outcome: ToolOutcome })
  | (Stamped<'finish'> & { readonly text: string; readonly object?: unknown; readonly outcome?: unknown })
  | (Stamped<'error'> & { readonly error: LeuriaError })

type Unstamped<Event> = Event extends RunEvent ? Omit<Event, 'turnId' | 'at'> : never

/** An event before it is told which turn it belongs to, and when it happened. */
export type EventBody = Unstamped<RunEvent>
