/** `GET /health` (Health). */
import * as z from 'zod/mini'

export const healthReply = z.looseObject({
  /** The engine's version; its presence means "this is Leuria". */
  leuria: z.string(),
  ok: z.boolean(),
  agent: z.string(),
  approvals: z.enum(['app', 'page']),
  /** Web pages only. */
  paired: z.optional(z.boolean()),
  /** Connected pages and only while there is a model. */
  embed: z.optional(z.string()),
})
export type HealthReply = z.infer<typeof healthReply>
