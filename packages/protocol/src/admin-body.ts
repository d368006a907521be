/**
 * Bodies and answers of the desktop app's routes under `/admin/`. Every request carries the admin token.
 * Loose where a later version may say more.
 */
import * as z from 'zod/mini'
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
})
export type AdminStatus = z.infer<typeof adminStatus>

/** `POST /admin/agent`: makes an AI the default. */
export const adminAgentBody = z.object({ id: z.string().check(z.minLength(1, 'id must name an AI')) })
/** Its answer. */
export const adminAgentReply = z.looseObject({ id: z.string(), name: z.string(), version: z.optional(z.string()) })

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
