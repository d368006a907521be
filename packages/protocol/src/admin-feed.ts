/**
 * The events of `GET /admin/events`, the window's feed, and the lines of `GET /admin/log`. Each event's data is one of
 * these objects; its SSE name is the `event` in it. Loose: a later version may say more, and windows ignore what they don't know.
 */
import * as z from 'zod/mini'
import {
  agentEvent,
  agentStateEvent,
  embedEvent,
  modelEvent,
  pairingDecidedEvent,
  pairingEvent,
  progressEvent,
  signInUrlEvent,
} from './process-event.js'
import { SESSION_STATUSES } from './session-status.js'
import { adminLimits, siteUsage } from './usage.js'

/** The first event of every feed that doesn't resume: from here on nothing is missed. Read what you show after it. */
const openEvent = z.looseObject({ event: z.literal('open') })
/** Events were missed (too long away, another engine): read everything anew. */
const resetEvent = z.looseObject({ event: z.literal('reset') })
/** Nobody answered in time. */
const pairingExpiredEvent = z.looseObject({
  event: z.literal('pairing_expired'),
  requestId: z.string(),
  origin: z.string(),
})
/** A connection was made, made anew, taken back, or got another AI or model. */
const siteEvent = z.looseObject({
  event: z.literal('site'),
  origin: z.string(),
  change: z.enum(['added', 'token_replaced', 'revoked', 'ai_changed']),
})
/** The list of AIs may be another one: something was installed, removed, saved, started or stopped. */
const aisEvent = z.looseObject({ event: z.literal('ais') })
/** All limits that hold now. */
const limitsEvent = z.looseObject({ event: z.literal('limits'), limits: z.array(adminLimits) })
/** What was used today, of those who used something; at most once in two seconds. */
const usageEvent = z.looseObject({ event: z.literal('usage'), day: z.string(), sites: z.array(siteUsage) })
/** A session's status has changed; `origin` is `local` for programs on this computer. */
const sessionEvent = z.looseObject({
  event: z.literal('session'),
  sessionId: z.string(),
  origin: z.string(),
  status: z.enum(SESSION_STATUSES),
})
/** Something that the visitor should know: a damaged file that was set aside, a disk that takes nothing. */
const warningEvent = z.looseObject({ event: z.literal('warning'), at: z.string(), message: z.string() })

/**
 * A line of the visitor's log. Kinds: `pairing_asked` (app?), `pairing_answered` (allowed), `grant_revoked`,
 * `session_started` (sessionId, agent?), `session_ended` (sessionId, status, code?), `tool_called` (sessionId, tool, outcome),
 * `permission_refused` and `tool_outside_page` (sessionId, tool), `request_refused` (method, path, status),
 * `entries_lost` (count).
 */
export const adminActivity = z.looseObject({
  /** ISO 8601, UTC. The feed and the log say the same time for the same line. */
  at: z.string(),
  kind: z.string(),
  origin: z.optional(z.string()),
})
export type AdminActivity = z.infer<typeof adminActivity>

const activityEvent = z.extend(adminActivity, { event: z.literal('activity') })

/** `GET /admin/log?origin=&before=&limit=`: newest first. `next` is the `before` of the next page; `null`: that was all. */
export const adminLog = z.looseObject({
  entries: z.array(z.extend(adminActivity, { id: z.string() })),
  next: z.nullable(z.string()),
})
export type AdminLog = z.infer<typeof adminLog>

/** Most entries of one page of the log. */
export const MAX_LOG_PAGE = 200

export const adminEvent = z.discriminatedUnion('event', [
  openEvent,
  resetEvent,
  pairingEvent,
  pairingDecidedEvent,
  pairingExpiredEvent,
  progressEvent,
  signInUrlEvent,
  agentEvent,
  modelEvent,
  embedEvent,
  agentStateEvent,
  siteEvent,
  aisEvent,
  limitsEvent,
  usageEvent,
  sessionEvent,
  activityEvent,
  warningEvent,
])
export type AdminEvent = z.infer<typeof adminEvent>

/** Every name there is, in the order above. */
export const ADMIN_EVENTS = [
  'open',
  'reset',
  'pairing',
  'pairing_decided',
  'pairing_expired',
  'progress',
  'signin_url',
  'agent',
  'model',
  'embed',
  'agent_state',
  'site',
  'ais',
  'limits',
  'usage',
  'session',
  'activity',
  'warning',
] as const satisfies readonly AdminEvent['event'][]
