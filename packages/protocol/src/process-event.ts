/** The JSON lines that `leuria start --json` and the desktop app's sidecar print: one object a line, each with `event`. */
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

export const processEvent = z.discriminatedUnion('event', [readyEvent, pairingEvent, pairingDecidedEvent, errorEvent])
export type ProcessEvent = z.infer<typeof processEvent>
