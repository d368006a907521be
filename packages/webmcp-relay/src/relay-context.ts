/** What every part of the relay is given: time, the engine's address, limits, where to report. */
import type { AuditSink } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import type { ToolLimits } from '@leuria/page-tools'
import type { Origin } from '@leuria/protocol'
import type { RelayLimits } from './relay-limits.js'

/** Whose a session is: a site's, or that of local programs. */
export type Owner = Origin | 'local'

export interface RelayContext {
  clock: Clock
  /** `http://127.0.0.1:<port>`; asked when needed, because the port may be known late. */
  baseUrl(): string
  audit?: AuditSink
  limits: RelayLimits
  toolLimits?: Partial<ToolLimits>
  /** A line for debugging. Never holds content. */
  log: (line: string) => void
  /** The engine's version, as MCP clients see it. */
  version: string
}
