/**
 * Bodies and answers of the desktop app's routes under `/admin/`. Every request carries the admin token.
 * Loose where a later version may say more.
 */
import * as z from 'zod/mini'
import { originField } from './home-files.js'
import { appField, needsField, nonceField } from './pairing-body.js'

/** Shortest admin token that is accepted, in characters: 32 of base64url are 192 bits. */
export const MIN_ADMIN_TOKEN_LENGTH = 32

/** A question that waits for the visitor's answer. */
export const adminPairing = z.looseObject({
  requestId: z.string(),
  origin: z.string(),
  app: z.optional(z.string()),
  needs: z.optional(z.looseObject({})),
  approveUrl: z.string(),
})
export type AdminPairing = z.infer<typeof adminPairing>

/** `GET /admin/status`. */
export const adminStatus = z.looseObject({
  version: z.string(),
  port: z.number(),
  /** The default AI. `installed`: what kind of thing it is; `null`: it is gone. */
  agent: z.looseObject({
    id: z.string(),
    name: z.string(),
    installed: z.nullable(z.enum(['agent', 'llm'])),
    ready: z.boolean(),
  }),
  /** How many sites are connected. */
  sites: z.number(),
  pairing: z.array(adminPairing),
  /** The last things that the visitor should know, oldest first: a damaged file that was set aside, a full disk. */
  warnings: z.optional(z.array(z.looseObject({ at: z.string(), message: z.string() }))),
})
export type AdminStatus = z.infer<typeof adminStatus>

/** `GET /admin/pairing`. */
export const adminPairingList = z.looseObject({ requests: z.array(adminPairing) })

/** `POST /admin/pairing/link`: a `leuria://connect` link that the system handed over. */
export const adminLinkBody = z.object({
  origin: z.string(),
  nonce: nonceField,
  app: z.optional(appField),
  needs: z.optional(needsField),
})

/** `POST /admin/pairing/:id`: the visitor's answer, with the AI and model they chose along with it. */
export const adminAnswerBody = z.object({
  allow: z.boolean(),
  agent: z.optional(z.nullable(z.string())),
  model: z.optional(z.nullable(z.string())),
})

/** A connected site as the app sees it: the grant without its token's hash. */
export const adminSite = z.looseObject({
  origin: z.string(),
  app: z.optional(z.string()),
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
  agent: z.optional(z.string()),
})
export type AdminSite = z.infer<typeof adminSite>

/** `GET /admin/sites`. */
export const adminSiteList = z.looseObject({ sites: z.array(adminSite) })

/** An AI in `GET /admin/ais`. */
export const adminAi = z.looseObject({
  id: z.string(),
  kind: z.enum(['agent', 'llm']),
  name: z.string(),
  default: z.boolean(),
  /** It can be used right now. */
  ready: z.boolean(),
  /** Why not, in words for people. */
  problem: z.optional(z.string()),
  provider: z.optional(z.looseObject({ id: z.string(), kind: z.string(), name: z.string() })),
  /** The model it answers with unless a site has another choice. */
  model: z.optional(z.string()),
  /** That model runs on this computer. */
  local: z.optional(z.boolean()),
})
export type AdminAi = z.infer<typeof adminAi>

/** A model's id, or `null`: none chosen. */
const modelField = z.nullable(z.string().check(z.minLength(1, 'model must name a model')))

/** `POST /admin/agent/model`: the model of an AI wherever no site has another choice. */
export const adminModelBody = z.object({ id: z.string(), model: modelField })

/** `POST /admin/sites/agent`; `null`: the default AI. */
export const adminSiteAgentBody = z.object({ origin: originField, agent: z.nullable(z.string()) })

/** `POST /admin/sites/model`. */
export const adminSiteModelBody = z.object({ origin: originField, model: modelField })

/** `POST /admin/fit`: needs as given, else those that the site named when it was connected. */
export const adminFitBody = z.object({ needs: z.optional(needsField), origin: z.optional(originField) })

/** `POST /admin/embeddings`. */
export const adminEmbeddingsBody = z.object({
  choice: z.union([
    z.literal('auto'),
    z.literal('off'),
    z.object({ provider: z.string().check(z.minLength(1)), model: z.string().check(z.minLength(1)) }),
  ]),
})

/** `POST /admin/providers`. A key can't hold spaces or line ends. */
export const adminProviderBody = z.object({
  id: z.optional(z.string()),
  name: z.string(),
  baseUrl: z.string(),
  apiKey: z.optional(z.string().check(z.regex(/^[\x21-\x7e]+$/, 'apiKey has characters that no key has'))),
})
