/** Clauses of Sessions and of its Attachments and Lifecycle. */
import type { ClauseTable } from './clause.js'

export const SESSIONS = {
  'session.prepare': {
    says: 'prepare answers 201 with sessionId, status pending_approval, registrationToken and webmcpUrl.',
  },
  'session.stream': { says: 'GET /session/:id/stream gives server-sent events.' },
  'session.approve.prompt': { says: 'approve starts the AI and sends the prompt.' },
  'session.approve.warm': { says: 'Without a prompt, approve makes the session idle and emits ready.' },
  'session.prompt': { says: 'prompt on an idle session is a follow-up turn.' },
  'session.cancel-turn': { says: 'cancel-turn stops the current turn and keeps the session.' },
  'session.cancel-turn.next': { says: 'After cancel-turn the next prompt works as usual.' },
  'session.cancel': { says: 'cancel ends the session as cancelled.' },
  'session.close': { says: 'close ends the session as completed.' },
  'session.info': {
    says: 'GET /session/:id answers id, status, origin, createdAt, registrationToken and webmcpUrl.',
  },
  'session.actions': { says: 'POST actions answer 200 with sessionId and status.' },
  'session.approve.twice': { says: 'approve twice gets 400 with the reason.' },
  'session.prompt.running': { says: 'prompt while a turn runs gets 400.' },
  'session.prompt.ended': { says: 'prompt after the end gets 400.' },
  'session.prompt.empty': { says: 'prompt must be a non-empty string.' },
  'session.own': { says: 'Other origins get 404 for a session, as if it did not exist.' },
  'session.limit': { says: 'An origin may hold 4 live sessions; the fifth prepare gets 400.' },
  'session.limit.frees': { says: 'Closing a session makes room for another.' },
  'session.max-turns': { says: 'maxTurns outside 1 to 50 is clamped, not refused.' },
  'session.max-turns.caps': { says: "maxTurns caps the AI's steps in a turn." },
  'session.system-prompt': { says: "systemPrompt replaces the agent's preset." },
  'session.ai.visitor': { says: 'The page cannot choose the AI.' },
  'session.ai.changed': { says: "When the visitor changes a site's AI, its sessions are cancelled." },
  'session.start-limit': { says: 'An AI that does not start within 60 s fails the session.' },
  'session.ended.readable': { says: 'An ended session stays readable.' },
  'session.ended.gone': { says: 'Five minutes after its end a session answers 404.' },
  'attachment.ten': { says: 'Up to 10 attachments are taken.' },
  'attachment.eleven': { says: 'More than 10 attachments are refused.' },
  'attachment.image': { says: 'An image attachment has mimeType image/… and base64 data.' },
  'attachment.text': { says: 'A text attachment has a text.' },
  'attachment.to-ai': {
    says: 'Images reach an AI that takes them, or are replaced by a note; texts are wrapped in <file>.',
  },
} as const satisfies ClauseTable
