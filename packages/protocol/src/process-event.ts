/**
 * The JSON lines that `leuria start --json` and the desktop app's sidecar print: one object a line, each with `event`.
 * The last six come in app mode only; the window gets them on its feed, too (`admin-feed.ts`).
 */
import * as z from 'zod/mini'
import { needsField } from './pairing-body.js'

const pairingFields = {
  requestId: z.string(),
  origin: z.string(),
}

export const readyEvent = z.looseObject({
  event: z.literal('ready'),
  port: z.number(),
  url: z.string(),
  version: z.string(),
  /** The default AI's plain name. */
  agent: z.string(),
})

export const pairingEvent = z.looseObject({
  event: z.literal('pairing'),
  ...pairingFields,
  app: z.optional(z.string()),
  needs: z.optional(needsField),
  approveUrl: z.string(),
})

export const pairingDecidedEvent = z.looseObject({
  event: z.literal('pairing_decided'),
  ...pairingFields,
  allowed: z.boolean(),
})

export const errorEvent = z.looseObject({ event: z.literal('error'), code: z.string(), message: z.string() })

/** What takes long, as it goes on: an installation, a sign-in, a test. */
export const PROGRESS_STAGES = ['install', 'signin', 'check'] as const

export const progressEvent = z.looseObject({
  event: z.literal('progress'),
  stage: z.enum(PROGRESS_STAGES),
  /** For people. */
  message: z.string(),
  /** The AI it is about. */
  id: z.optional(z.string()),
  /** What of the stage: `fetching`, `done`; of a test, the step's name. */
  step: z.optional(z.string()),
  /** Of a test's step that is over. */
  ok: z.optional(z.boolean()),
  receivedBytes: z.optional(z.number()),
  totalBytes: z.optional(z.number()),
})

/** An agent that is being signed in to wants this https page opened. */
export const signInUrlEvent = z.looseObject({
  event: z.literal('signin_url'),
  url: z.string(),
  id: z.optional(z.string()),
})

/** Another default AI. */
export const agentEvent = z.looseObject({ event: z.literal('agent'), id: z.string(), name: z.string() })

/** Another model of an AI; `null`: its own default. */
export const modelEvent = z.looseObject({ event: z.literal('model'), id: z.string(), model: z.nullable(z.string()) })

/** Another choice of the model for embeddings: `auto`, `off` or `{ provider, model }`. */
export const embedEvent = z.looseObject({ event: z.literal('embed'), choice: z.unknown() })

/** Seen when a session started, or could not: whether the agent let us in. */
export const agentStateEvent = z.looseObject({ event: z.literal('agent_state'), id: z.string(), ok: z.boolean() })

export const processEvent = z.discriminatedUnion('event', [
  readyEvent,
  pairingEvent,
  pairingDecidedEvent,
  errorEvent,
  progressEvent,
  signInUrlEvent,
  agentEvent,
  modelEvent,
  embedEvent,
  agentStateEvent,
])
export type ProcessEvent = z.infer<typeof processEvent>
