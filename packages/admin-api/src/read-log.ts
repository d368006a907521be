/** Reading the visitor's log, as the engine does it. */
import type { AdminLog, Origin } from '@leuria/protocol'

export interface LogQuery {
  /** Only what concerns this site. */
  origin?: Origin
  /** Only what is older than the entry with this id. */
  before?: string
  limit: number
}

/** `null`: `before` is no entry's id. */
export type ReadLog = (query: LogQuery) => Promise<AdminLog | null>
