/** A line of the visitor's log as a sentence. Unknown kinds of a later version are shown by their name. */
import type { AdminActivity } from '@leuria/protocol'

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const WORDS: Readonly<Record<string, (line: AdminActivity) => string>> = {
  pairing_asked: () => 'asked to use your AI',
  pairing_answered: (line) => (line.allowed === true ? 'was allowed' : 'was told “not now”'),
  grant_revoked: () => 'was disconnected',
  session_started: (line) =>
    line.agent === undefined ? 'began a conversation' : `began a conversation with ${text(line.agent)}`,
  session_ended: (line) => (line.status === 'failed' ? 'lost its conversation' : 'ended its conversation'),
  tool_called: (line) => `the AI used “${text(line.tool)}”${line.outcome === 'ok' ? '' : ', which failed'}`,
  permission_refused: (line) => `the AI wanted “${text(line.tool)}” and was refused`,
  tool_outside_page: (line) => `the AI used “${text(line.tool)}” by itself, so the conversation was ended`,
  request_refused: () => 'sent something that was refused',
  entries_lost: (line) => `${text(String(line.count))} lines could not be written`,
}

/** Kinds that the visitor should look at twice. */
const ALARMING: ReadonlySet<string> = new Set(['permission_refused', 'tool_outside_page', 'entries_lost'])

export function activityWords(line: AdminActivity): string {
  return (Object.hasOwn(WORDS, line.kind) ? WORDS[line.kind] : undefined)?.(line) ?? line.kind.replaceAll('_', ' ')
}

export function isAlarming({ kind }: AdminActivity): boolean {
  return ALARMING.has(kind)
}
