/**
 * The files in `LEURIA_HOME` (`~/.leuria` by default). Loose objects: fields that this version doesn't know are kept.
 * `version` may be missing in files of other engines; it then counts as 1.
 */
import * as z from 'zod/mini'
import { type Origin, parseOrigin } from './origin.js'

const versionField = z._default(z.number(), 1)

/** An origin in normal form. */
export const originField = z.pipe(
  z.string().check(z.refine((text) => parseOrigin(text) !== null, 'not an http(s) origin')),
  z.transform((text) => parseOrigin(text) as Origin),
)

/** What a site said it needs, as stored. Unknown members are kept. */
const storedNeeds = z.looseObject({})

/** One origin's stored permission: a token's SHA-256 in hex, never the token. */
export const grant = z.looseObject({
  origin: originField,
  app: z.optional(z.string()),
  tokenHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** ISO 8601. */
  createdAt: z.string(),
  /** ISO 8601, written at most once a minute. */
  lastUsedAt: z.optional(z.string()),
  /** The AI's id; absent: the visitor's default. */
  agent: z.optional(z.string()),
  /** The model chosen together with an AI. A bare id is what other versions wrote. */
  model: z.optional(z.union([z.string(), z.looseObject({ agent: z.string(), id: z.string() })])),
  needs: z.optional(storedNeeds),
})
export type Grant = z.infer<typeof grant>

/** `grants.json`. */
export const grantsFile = z.looseObject({ version: versionField, grants: z.array(grant) })
export type GrantsFile = z.infer<typeof grantsFile>

/** `config.json`. */
export const configFile = z.looseObject({
  version: versionField,
  port: z.optional(z.int().check(z.gte(0), z.lte(65_535))),
  /** The default AI's id. */
  agent: z.optional(z.string()),
  /** The model the visitor chose for an AI, by the AI's id. */
  models: z.optional(z.record(z.string(), z.string())),
  /** Ids of agents that may run outside a sandbox although nobody has checked them. */
  trusted: z.optional(z.array(z.string())),
  /** False: no program of the default AI stands ready before a session needs it. */
  warm: z.optional(z.boolean()),
  /** `off`, `auto`, or `{ provider, model }`; whoever uses it reads it. */
  embed: z.optional(z.unknown()),
})
export type ConfigFile = z.infer<typeof configFile>

/** A saved model service. */
export const provider = z.looseObject({
  /** The name's slug. */
  id: z.string(),
  kind: z._default(z.enum(['openai', 'ollama', 'lmstudio']), 'openai'),
  name: z.string(),
  /** With its version segment, without a slash at the end. */
  baseUrl: z.string(),
  /** Secret: this file is 0600. */
  apiKey: z.optional(z.string()),
  /** Sent with every request, for services that want more than a key. May be secret too. */
  headers: z.optional(z.record(z.string(), z.string())),
})
export type Provider = z.infer<typeof provider>

/** `providers.json`. */
export const providersFile = z.looseObject({ version: versionField, providers: z.array(provider) })
export type ProvidersFile = z.infer<typeof providersFile>
