/**
 * One event as text (Stream events; WHATWG HTML, "server-sent events").
 * Data is JSON, so it never holds a line break, and an event is always three or four lines.
 */
import type { StreamEventData, StreamEventName } from '@leuria/protocol'

/** A comment: keeps the connection alive, and readers ignore it. */
export const HEARTBEAT = ': heartbeat\n\n'

/** The text of an event. Without `id`, a reader's last id stays what it was. */
export function formatEvent<Name extends StreamEventName>(
  name: Name,
  data: StreamEventData[Name],
  id?: number,
): string {
  const body = `event: ${name}\ndata: ${JSON.stringify(data)}\n`
  return id === undefined ? `${body}\n` : `${body}id: ${id}\n\n`
}

/** Where in `text` the events after number `id` begin; `text` holds whole events and number `id` is among them. */
export function endOfEvent(text: string, id: number): number {
  const mark = `\nid: ${id}\n\n`
  return text.indexOf(mark) + mark.length
}

/** A reader's last id. `null`: none, or not one of ours. */
export function parseEventId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}
