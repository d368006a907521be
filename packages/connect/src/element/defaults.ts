/** What all elements of a page share unless one says otherwise: the client and the look. */
import type { Leuria } from '@leuria/client'
import { ChangeFeed } from './change-feed.js'

export type Appearance = 'light' | 'dark'

interface Defaults {
  client: Leuria | undefined
  appearance: Appearance | undefined
}

export const defaultsChanged = new ChangeFeed()

const defaults: Defaults = { client: undefined, appearance: undefined }

function change(next: Partial<Defaults>): void {
  Object.assign(defaults, next)
  defaultsChanged.tell()
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
