/** What all elements of a page share unless one says otherwise: the client and the look. */
import type { Leuria } from '@leuria/client'

export type Appearance = 'light' | 'dark'

interface Defaults {
  client: Leuria | undefined
  appearance: Appearance | undefined
}

const defaults: Defaults = { client: undefined, appearance: undefined }
const listeners = new Set<() => void>()

function change(next: Partial<Defaults>): void {
  Object.assign(defaults, next)
  for (const listener of listeners) listener()
}

/** The client of every element that wasn't given one of its own; elements that stand already take it at once. */
export function setDefaultClient(client: Leuria | undefined): void {
  change({ client })
}

/** The look of every element without an `appearance`; `undefined` follows the visitor's system again. */
export function setDefaultAppearance(appearance: Appearance | undefined): void {
  change({ appearance })
}

export function currentDefaults(): Readonly<Defaults> {
  return defaults
}

/** Returns its undo. */
export function onDefaultsChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
