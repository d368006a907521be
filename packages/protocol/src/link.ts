/**
 * The two links of the `leuria:` scheme, written and read: `connect` asks for a pairing, `site` opens a site's settings.
 * Systems add a slash after the host and encode spaces either way; both are read alike, decoded once.
 */
import { type Needs, parseNeeds } from './needs.js'
import { isNonce } from './nonce.js'
import { type Origin, parseOrigin } from './origin.js'

export interface ConnectLink {
  kind: 'connect'
  origin: Origin
  nonce: string
  app?: string
  needs?: Needs
}

export interface SiteLink {
  kind: 'site'
  origin: Origin
}

/** Longest link that is read, in characters: an origin, a nonce and a name fit many times over. */
const MAX_LINK_LENGTH = 4_096

const NEED_KEYS = ['tools', 'images', 'effort', 'context'] as const

/** The link a page opens in its click handler (Pairing, step 1). */
export function formatConnectLink(link: Omit<ConnectLink, 'kind'>): string {
  const query = new URLSearchParams({ origin: link.origin })
  if (link.app !== undefined) query.set('app', link.app)
  query.set('nonce', link.nonce)
  for (const key of NEED_KEYS) {
    const need = link.needs?.[key]
    if (need !== undefined) query.set(key, need === true ? '1' : String(need))
  }
  return `leuria://connect?${query.toString()}`
}

/** The link that opens a connected site's settings (Pairing, The site's settings). */
export function formatSiteLink(origin: string): string {
  return `leuria://site?${new URLSearchParams({ origin }).toString()}`
}

/** `leuria://connect?…` and `leuria://connect/?…` → the kind and its query. Nothing else is one of our links. */
function splitLink(text: string): { kind: string; query: URLSearchParams } | null {
  if (text.length > MAX_LINK_LENGTH) return null
  const match = /^leuria:\/\/(connect|site)\/?\?([^#]*)(?:#.*)?$/i.exec(text.trim())
  if (match === null) return null
  return { kind: (match[1] ?? '').toLowerCase(), query: new URLSearchParams(match[2]) }
}

/** Reads a link that the system handed over. `null`: not one of ours, or a part is missing or malformed. */
export function parseLink(text: string): ConnectLink | SiteLink | null {
  const parts = splitLink(text)
  if (parts === null) return null
  const origin = parseOrigin(parts.query.get('origin') ?? '')
  if (origin === null) return null
  if (parts.kind === 'site') return { kind: 'site', origin }
  const nonce = parts.query.get('nonce')
  if (!isNonce(nonce)) return null
  const app = parts.query.get('app')?.trim()
  const needs = parseNeeds(Object.fromEntries(NEED_KEYS.map((key) => [key, parts.query.get(key)])))
  return {
    kind: 'connect',
    origin,
    nonce,
    ...(app === undefined || app === '' ? {} : { app }),
    ...(needs === undefined ? {} : { needs }),
  }
}
