/** Bodies and answers of `/session/*` (Sessions). */
import * as z from 'zod/mini'
import { attachment } from './attachment.js'
import { MAX_ATTACHMENTS, MAX_TURN_STEPS, MIN_TURN_STEPS } from './limits.js'
import { SESSION_STATUSES } from './session-status.js'

/** "prompt, when given, must be a non-empty string": spaces alone don't count. */
const promptField = z.string().check(z.refine((text) => text.trim() !== '', 'prompt must be a non-empty string'))

const attachmentsField = z
  .array(attachment)
  .check(z.maxLength(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS} attachments`))

/** A blank system prompt is no system prompt. */
const systemPromptField = z.pipe(
  z.string(),
  z.transform((text): string | undefined => (text.trim() === '' ? undefined : text)),
)

/** Whole steps, clamped between 1 and 50 (Rules). */
const maxTurnsField = z.pipe(
  z.number(),
  z.transform((turns) => Math.min(MAX_TURN_STEPS, Math.max(MIN_TURN_STEPS, Math.floor(turns)))),
)

/** `POST /session/prepare`. */
export const prepareBody = z.object({
  prompt: z.optional(promptField),
  attachments: z.optional(attachmentsField),
  systemPrompt: z.optional(systemPromptField),
  maxTurns: z.optional(maxTurnsField),
})
export type PrepareBody = z.infer<typeof prepareBody>

/** `POST /session/:id/prompt`. */
export const promptBody = z.object({ prompt: promptField, attachments: z.optional(attachmentsField) })
export type PromptBody = z.infer<typeof promptBody>

export const sessionStatus = z.enum(SESSION_STATUSES)

/** 201 of `prepare`. */
export const prepareReply = z.looseObject({
  sessionId: z.string(),
  status: sessionStatus,
  registrationToken: z.string(),
  webmcpUrl: z.string(),
})
export type PrepareReply = z.infer<typeof prepareReply>

/** 200 of the POST actions. */
export const actionReply = z.looseObject({ sessionId: z.string(), status: sessionStatus })
export type ActionReply = z.infer<typeof actionReply>

/** `GET /session/:id`. */
export const sessionInfo = z.looseObject({
  id: z.string(),
  status: sessionStatus,
  origin: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Why it ended, in words. */
  error: z.optional(z.string()),
  /** The same for machines (additive). */
  code: z.optional(z.string()),
  registrationToken: z.string(),
  webmcpUrl: z.string(),
})
export type SessionInfo = z.infer<typeof sessionInfo>
