/** The admin API's bodies and answers about getting an AI: finding, installing, signing in, testing, removing. */
import * as z from 'zod/mini'
import { originField } from './home-files.js'

const idField = z.string().check(z.minLength(1, 'id must name an AI'))

/**
 * `POST /admin/ais` and `POST /admin/agent`. `insist`: install it although its maker gives no checksum; ask the visitor
 * first (422 with code `unverified` says when).
 */
export const adminAddAiBody = z.object({
  id: idField,
  makeDefault: z.optional(z.boolean()),
  insist: z.optional(z.boolean()),
})
export const adminAddAiReply = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** Of an agent that says its version; else `null`. */
  version: z.nullable(z.string()),
})

/** `DELETE /admin/ais?id=`. False: there was nothing of Leuria's to remove (a program or service of the computer's own). */
export const adminRemoved = z.looseObject({ removed: z.boolean() })

/** `POST /admin/agent/reset`. */
export const adminResetBody = z.object({ id: idField })

/** A model of a service, or the demo AI's place, in `GET /admin/agents`. */
const listedModel = z.looseObject({
  id: z.string(),
  kind: z.literal('llm'),
  name: z.string(),
  provider: z.looseObject({ id: z.string(), kind: z.string(), name: z.string() }),
  model: z.string(),
  loaded: z.nullable(z.boolean()),
  local: z.boolean(),
  installed: z.literal('llm'),
  found: z.boolean(),
  /** Sites get it unless they have an AI of their own. */
  current: z.boolean(),
})

/** An agent in `GET /admin/agents`. */
const listedAgent = z.looseObject({
  id: z.string(),
  kind: z.literal('agent'),
  name: z.string(),
  /** The newest that the registry has; `null`: it isn't in the list. */
  version: z.nullable(z.string()),
  description: z.string(),
  /** The version installed by Leuria; `null`: none. */
  installed: z.nullable(z.string()),
  /** It is on this computer anyway, or the visitor's own. */
  found: z.boolean(),
  /** It can be installed here. */
  installable: z.boolean(),
  current: z.boolean(),
})

/** `GET /admin/agents`: models of services first, then agents. */
export const adminAgentList = z.looseObject({
  agents: z.array(z.discriminatedUnion('kind', [listedModel, listedAgent])),
  /** For people, when the registry's list could not be fetched; `null`: it could. */
  message: z.nullable(z.string()),
})
export type AdminAgentList = z.infer<typeof adminAgentList>

/** How one can sign in to an agent. `terminal`: only in a terminal; `other`: not by a command at all. */
const signInMethod = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  way: z.enum(['here', 'terminal', 'other']),
})

/** `GET /admin/signin?agent=`, `POST /admin/signin`. */
export const adminSignIn = z.looseObject({
  ok: z.boolean(),
  /** For people. */
  detail: z.string(),
  methods: z.array(signInMethod),
  models: z.optional(z.array(z.looseObject({ id: z.string(), name: z.string() }))),
})
export type AdminSignIn = z.infer<typeof adminSignIn>

/** `POST /admin/signin`: without a method, the only one that can be done here; without an agent, the default. */
export const adminSignInBody = z.object({ methodId: z.optional(z.string()), agent: z.optional(z.string()) })

/** `POST /admin/sites/agent`'s answer. `signIn`: of an agent; `null` for all other AIs. */
export const adminSiteAgentReply = z.looseObject({
  origin: originField,
  agent: z.nullable(z.string()),
  signIn: z.nullable(adminSignIn),
})

/** `POST /admin/test`: the default AI when none is named. */
export const adminTestBody = z.object({ agent: z.optional(idField) })
export const adminTestReply = z.looseObject({
  ok: z.boolean(),
  steps: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
})
export type AdminTestReply = z.infer<typeof adminTestReply>
