/** `POST /embed` (Embeddings). */
import * as z from 'zod/mini'
import { MAX_EMBED_TEXTS } from './limits.js'

export const EMBED_KINDS = ['query', 'document'] as const
export type EmbedKind = (typeof EMBED_KINDS)[number]

export const embedBody = z.object({
  texts: z
    .array(z.string())
    .check(
      z.minLength(1, 'texts must hold at least one text'),
      z.maxLength(MAX_EMBED_TEXTS, `at most ${MAX_EMBED_TEXTS} texts`),
    ),
  kind: z._default(z.enum(EMBED_KINDS), 'document'),
})
export type EmbedBody = z.infer<typeof embedBody>

export const embedReply = z.looseObject({ model: z.string(), vectors: z.array(z.array(z.number())) })
export type EmbedReply = z.infer<typeof embedReply>
