/** How a site's origin is shown to a person who has to judge it: host, scheme and port apart, look-alikes made visible. */
import { domainToUnicode } from 'node:url'
import type { Origin } from '@leuria/protocol'

export interface SiteAddress {
  /** As people read it, for example `größe.example`. */
  host: string
  /** The wire form, only when it differs: `xn--gre-8na1g.example`. */
  punycode: string | null
  /** `https` or `http`. */
  scheme: string
  /** Only when it isn't the scheme's own. */
  port: string | null
  /** Anyone on the way can read and change what a plain http site sends; on this computer there is no way. */
  unencrypted: boolean
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

export function describeSite(origin: Origin): SiteAddress {
  const { hostname, port, protocol } = new URL(origin)
  const readable = domainToUnicode(hostname)
  const host = readable === '' ? hostname : readable
  return {
    host,
    punycode: host === hostname ? null : hostname,
    scheme: protocol.slice(0, -1),
    port: port === '' ? null : port,
    unencrypted: protocol === 'http:' && !isLoopback(hostname),
  }
}
