/** Answers of the admin API that the window reads: AIs, models, fit, embeddings, saved services. */
import * as z from 'zod/mini'
import { adminAi } from './admin-body.js'
import { needsField } from './pairing-body.js'

/** Every change that only succeeds. */
export const adminOk = z.looseObject({ ok: z.literal(true) })

/** `GET /admin/ais`: the default first, usable or not; of the others what can be used. */
export const adminAiList = z.looseObject({ ais: z.array(adminAi) })

/** `GET /admin/models?agent=`; `null`: it has none to choose from. */
export const adminModels = z.looseObject({
  agent: z.string(),
  models: z.nullable(
    z.looseObject({
      current: z.optional(z.string()),
      options: z.array(z.looseObject({ id: z.string(), name: z.string(), local: z.optional(z.boolean()) })),
    }),
  ),
})

const verdict = z.enum(['short', 'fits', 'more'])
const cost = z.enum(['free', 'plan', 'paid'])

/** `POST /admin/fit`. */
export const adminFit = z.looseObject({
  needs: z.nullable(needsField),
  /** `null`: the site named no needs, or nothing is enough. */
  recommended: z.nullable(
    z.looseObject({
      agent: z.string(),
      model: z.nullable(z.string()),
      modelName: z.nullable(z.string()),
      isDefault: z.boolean(),
      cost,
      /** For people. */
      reason: z.string(),
    }),
  ),
  ais: z.array(
    z.looseObject({
      id: z.string(),
      verdict,
      cost,
      models: z.array(z.looseObject({ id: z.string(), name: z.string(), verdict, cost })),
    }),
  ),
})
export type AdminFit = z.infer<typeof adminFit>

const embedder = z.looseObject({ provider: z.string(), model: z.string() })

/** `GET /admin/embeddings`. */
export const adminEmbeddings = z.looseObject({
  choice: z.union([z.literal('auto'), z.literal('off'), embedder]),
  current: z.nullable(embedder),
  models: z.array(z.extend(embedder, { loaded: z.nullable(z.boolean()) })),
})

/** `GET /admin/providers`. */
export const adminProviderList = z.looseObject({
  providers: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      name: z.string(),
      baseUrl: z.string(),
      hasApiKey: z.boolean(),
      hasHeaders: z.boolean(),
      running: z.boolean(),
      models: z.array(z.string()),
      error: z.optional(z.string()),
    }),
  ),
})
