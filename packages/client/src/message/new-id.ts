/** Names for messages, turns and calls. */

/** A new id such as `turn-k3x9…`. Unique in a page; not for secrets. */
export function newId(prefix: string): string {
  const half = (): string => Math.random().toString(36).slice(2)
  return `${prefix}-${half()}${half()}`
}
